import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { HarnessRuns, outcomeOf } from '../support/harness-runs.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';
import { type DeclaredHarness, harnessFolders, scored } from './declared-harness.ts';
import { goodPlaybooks } from './declared-playbooks.ts';
import { goodHarnesses } from './good-harnesses.ts';

const every: readonly DeclaredHarness[] = [...goodHarnesses, ...goodPlaybooks];
const uidBase = { full: 2_320_000, user: 2_330_000 };

describeAtEachLevel('a good harness', (level) => {
  let runs: HarnessRuns;
  beforeAll(async () => {
    runs = await HarnessRuns.start(level, every, uidBase[level.name]);
  });
  afterAll(() => runs.end());

  for (const harness of every) {
    it(`${harness.name}: one that ${harness.what} is scored with reward 1`, async () => {
      const { records } = await runs.of(harness);
      expect(records.map(outcomeOf)).toEqual([scored(1)]);
      expect(records[0]?.sandbox.level).toBe(level.name);
    });
  }
});

test('every folder of test/hostile/good is declared', () => {
  expect(goodHarnesses.map(({ name }) => name).toSorted()).toEqual([...harnessFolders('good'), 'h0'].toSorted());
});
