import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Revision } from '../../src/contract/activities.ts';
import { ArmName } from '../../src/schema/ids.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { replaced, taskFiles, validExperiment } from '../support/experiment-files.ts';
import { verdict } from '../support/memory-sandbox.ts';

let fixture: ActivityFixture;
const arm = ArmName.parse('ace');

/** Two selection tasks, so that one can be missing; numbers rounded to whole points; two queries. */
const files = {
  ...replaced(
    replaced(validExperiment, 'splits.yaml', '- desk/x1', '- desk/x1\n  - desk/x2'),
    'experiment.yaml',
    'rule: gated',
    'disclosurePoints: 1',
  ),
  ...taskFiles('x2'),
  'budgets.yaml': (validExperiment['budgets.yaml'] ?? '').replace('selectionQueries: 4', 'selectionQueries: 2'),
};

/** The same where one of the two scores is enough for a number. */
const halfCovered = replaced(
  files,
  'experiment.yaml',
  'disclosurePoints: 1',
  'disclosurePoints: 1\n  coverageFloor: { selection: 0.5 }',
);

beforeEach(async () => {
  fixture = await ActivityFixture.create(files);
});

afterEach(() => fixture.remove());

const reserve = (revision: Revision) => fixture.run('reserveQuery', { experimentId: fixture.lock.id, arm, revision });
const disclose = (revision: Revision, query: number, interrupted = false) =>
  fixture.run('discloseQuery', { experimentId: fixture.lock.id, arm, revision, query, interrupted });

async function score(revision: Revision, rewards: Readonly<Record<string, number>>): Promise<void> {
  for (const [task, reward] of Object.entries(rewards)) {
    fixture.sandbox.judgement = () => verdict(reward);
    await fixture.run('performAttempt', fixture.attempt(task, { revision }));
  }
}

async function used(): Promise<number> {
  const { queries } = await fixture.gateway.control.usage({ experimentId: fixture.lock.id });
  return queries.find((entry) => entry.arm === arm)?.used ?? 0;
}

const queryRecords = async () => (await fixture.records()).filter((record) => record.kind === 'query');

describe('a selection number', () => {
  test('is disclosed rounded and decides exactly', async () => {
    const { h0 } = fixture.plan;
    expect(await reserve(h0)).toEqual({ kind: 'reserved', query: 1 });
    await score(h0, { 'desk/x1': 0.5, 'desk/x2': 0.333 });
    expect(await disclose(h0, 1)).toEqual({ kind: 'disclosed', points: 42, exact: expect.closeTo(41.65, 9) as number });
    expect(await queryRecords()).toMatchObject([
      { query: 1, state: 'disclosed', disclosed: 42, scored: 2, planned: 2, candidate: 0 },
    ]);
  });

  test('exists at full coverage alone: below it the query is given back', async () => {
    const { h0 } = fixture.plan;
    await reserve(h0);
    await score(h0, { 'desk/x1': 1 });
    expect(await disclose(h0, 1)).toMatchObject({ kind: 'released', why: 'selection covers 1 of 2 tasks' });
    expect(await used()).toBe(0);
    expect(await queryRecords()).toMatchObject([{ state: 'released', exact: null, disclosed: null, scored: 1 }]);
    await score(h0, { 'desk/x2': 1 });
    expect(await reserve(h0)).toEqual({ kind: 'reserved', query: 1 });
    expect(await disclose(h0, 1)).toMatchObject({ kind: 'disclosed', points: 100 });
    expect((await queryRecords()).map(({ state }) => state)).toEqual(['released', 'disclosed']);
  });

  test('counts a harness that crashed, and what infrastructure failed is missing from it', async () => {
    const { h0 } = fixture.plan;
    await reserve(h0);
    await score(h0, { 'desk/x1': 1 });
    fixture.sandbox.run = () => ({ kind: 'lost', reason: 'gone', elapsedMs: 0 });
    await score(h0, { 'desk/x2': 1 });
    expect(await disclose(h0, 1)).toMatchObject({ kind: 'released', why: 'selection covers 1 of 2 tasks' });
    fixture.sandbox.run = () => ({ kind: 'done', end: { kind: 'exited', code: 1 }, outcome: null, outputs: {} });
    await score(h0, { 'desk/x2': 0 });
    await reserve(h0);
    expect(await disclose(h0, 1)).toMatchObject({ kind: 'disclosed', points: 50 });
  });

  test('of a digest that was disclosed before is given again and costs nothing', async () => {
    const { h0 } = fixture.plan;
    await reserve(h0);
    await score(h0, { 'desk/x1': 1, 'desk/x2': 0 });
    await disclose(h0, 1);
    expect(await reserve(h0)).toEqual({ kind: 'repeated', points: 50, exact: 50 });
    expect(await disclose(h0, 1)).toMatchObject({ kind: 'disclosed', points: 50 });
    expect(await used()).toBe(1);
    expect(await queryRecords()).toHaveLength(1);
  });

  test('stays what it was, also where the worker died right behind it and an attempt got its score since', async () => {
    await fixture.remove();
    fixture = await ActivityFixture.create(halfCovered);
    const { h0 } = fixture.plan;
    await reserve(h0);
    await score(h0, { 'desk/x1': 1 });
    const { control } = fixture.gateway;
    const appendRecord: typeof control.appendRecord = async () => {
      throw new Error('the worker was killed here');
    };
    fixture.restart({ gateway: Object.assign(Object.create(control) as typeof control, { appendRecord }) });
    await expect(disclose(h0, 1)).rejects.toThrow('killed here');
    fixture.restart();
    await score(h0, { 'desk/x2': 0 });
    expect(await disclose(h0, 1)).toEqual({ kind: 'disclosed', points: 100, exact: 100 });
    expect(await reserve(h0)).toEqual({ kind: 'repeated', points: 100, exact: 100 });
    expect(await queryRecords()).toMatchObject([{ state: 'disclosed', exact: 100, disclosed: 100 }]);
  });

  test('is refused beyond the cap, each arm having its own', async () => {
    const candidates = [fixture.plan.h0, await fixture.candidate('- one', 1), await fixture.candidate('- two', 2)];
    const kinds = [];
    for (const revision of candidates) kinds.push(await reserve(revision));
    expect(kinds).toEqual([
      { kind: 'reserved', query: 1 },
      { kind: 'reserved', query: 2 },
      { kind: 'refused', used: 2, cap: 2 },
    ]);
    const other = await fixture.run('reserveQuery', {
      experimentId: fixture.lock.id,
      arm: ArmName.parse('static'),
      revision: fixture.plan.h0,
    });
    expect(other).toEqual({ kind: 'reserved', query: 1 });
  });

  test('is not disclosed once the search is over, and an earlier disclosure stays', async () => {
    const { h0 } = fixture.plan;
    await reserve(h0);
    await score(h0, { 'desk/x1': 1, 'desk/x2': 1 });
    expect(await disclose(h0, 1, true)).toMatchObject({
      kind: 'released',
      why: 'the search ended before selection did',
    });
    expect(await used()).toBe(0);
    await reserve(h0);
    await disclose(h0, 1);
    expect(await disclose(h0, 1, true)).toMatchObject({ kind: 'released' });
    expect(await reserve(h0)).toMatchObject({ kind: 'repeated', points: 100 });
    expect((await queryRecords()).map(({ state }) => state)).toEqual(['released', 'disclosed']);
  });
});
