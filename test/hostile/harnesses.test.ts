import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { HarnessRuns, declaredAt, outcomeOf } from '../support/harness-runs.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';
import { type DeclaredHarness, harnessFolders } from './declared-harness.ts';
import { goodPlaybooks, hostilePlaybooks } from './declared-playbooks.ts';
import { hostileHarnesses } from './hostile-harnesses.ts';

const every: readonly DeclaredHarness[] = [...hostileHarnesses, ...hostilePlaybooks];
const uidBase = { full: 2_300_000, user: 2_310_000 };

describeAtEachLevel('a hostile or broken harness', (level) => {
  let runs: HarnessRuns;
  beforeAll(async () => {
    runs = await HarnessRuns.start(level, every, uidBase[level.name]);
  });
  afterAll(() => runs.end());

  for (const harness of every) {
    const declared = declaredAt(harness, level);
    it(`${harness.name}: one that ${harness.what} is ${declared.class} with reward ${declared.reward}`, async () => {
      const { records, log } = await runs.of(harness);
      expect(records.map(outcomeOf)).toEqual([declared]);
      expect(records[0]?.sandbox.level).toBe(level.name);
      expect(log).toMatch(harness.log ?? /(?:)/);
      expect(log).not.toMatch(harness.notLog ?? /(?!)/);
    });
  }

  it('probe 14: what a harness asks beyond the pinned request reaches no provider', async () => {
    await Promise.all(every.map((harness) => runs.of(harness)));
    const asked = runs.provider.seen.filter(({ body }) => JSON.stringify(body).includes('asked for more'));
    expect(asked).toHaveLength(1);
    for (const { body } of runs.provider.seen) {
      expect(Object.keys(body).toSorted()).toEqual(
        expect.not.arrayContaining(['n', 'store', 'background', 'metadata']),
      );
      expect(body).toMatchObject({ model: 'office-1' });
      expect(JSON.stringify(body)).not.toMatch(/web_search|mcp|secret\.png|file-1|resp_1/);
    }
  });

  it('the commit gate says of each playbook what is declared', async () => {
    const playbooks = [...hostilePlaybooks, ...goodPlaybooks];
    const said: string[] = [];
    for (const [index, { bytes }] of playbooks.entries()) said.push(await runs.lab.gate(bytes, index + 1));
    expect(Object.fromEntries(playbooks.map(({ name }, index) => [name, said[index]]))).toEqual(
      Object.fromEntries(playbooks.map(({ name, gate }) => [name, gate])),
    );
  });

  it('a playbook that is no template reaches the model as it is', async () => {
    const seen = runs.provider.seen.map(({ body }) => JSON.stringify(body));
    for (const playbook of hostilePlaybooks.filter(({ outcome }) => outcome.class === 'scored')) {
      await runs.of(playbook);
      const text = JSON.stringify(playbook.bytes.toString('utf8').replaceAll(/\r\n?/g, '\n').trim()).slice(1, -1);
      expect([playbook.name, seen.some((body) => body.includes(text))]).toEqual([playbook.name, true]);
    }
  });
});

test('every folder of test/hostile/harnesses is declared', () => {
  expect(hostileHarnesses.map(({ name }) => name).toSorted()).toEqual(harnessFolders('harnesses'));
});
