import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dealSplits } from '../../bench/deal-splits.ts';
import { recoveredTruth, signsText } from '../../bench/recovered-truth.ts';
import { worldExperiment, type WorldExperimentChanges } from '../../bench/world-experiment.ts';
import { FaultProfileName } from '../../src/schema/fault-profile.ts';
import type { HarnessFiles } from '../../src/schema/harness.ts';
import type { World } from '../../src/schema/world.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { publishedWorlds, worldNamed } from '../simulated/published-worlds.ts';
import { type LabResult, WorldLab } from '../support/world-lab.ts';
import { irrelevantRules, learntHarness, requestsOf, scoresOf, tokensOf, withPlaybook } from './learnt-harness.ts';
import { shuffleDiagnostics } from './shuffled-diagnostics.ts';

const seed = 1;
const smoke = join(packageRoot, 'budgets', 'smoke.yaml');
let lab: WorldLab;
let files = { splits: '', budgets: '' };

beforeAll(async () => {
  lab = await WorldLab.open(shuffleDiagnostics);
  const budgets = readFileSync(join(packageRoot, 'budgets', 'worlds.yaml'), 'utf8')
    .replace('candidates: 3', 'candidates: 1')
    .replace('selectionQueries: 4', 'selectionQueries: 2');
  const folder = lab.lay({ 'splits.yaml': dealSplits(seed), 'budgets.yaml': budgets });
  files = { splits: join(folder, 'splits.yaml'), budgets: join(folder, 'budgets.yaml') };
});

afterAll(() => lab.close());

const results = new Map<string, Promise<LabResult>>();

/** Runs an experiment once; the same again is its first result. */
function run({ name }: World, changes: WorldExperimentChanges = {}): Promise<LabResult> {
  const experiment = worldExperiment(name, seed, { ...files, ...changes });
  const known = results.get(experiment) ?? lab.run(experiment);
  results.set(experiment, known);
  return known;
}

/** The same world, seed and tasks with other files as H0, and nothing learnt. */
function runStatic(world: World, tag: string, harness: HarnessFiles, budgets = files.budgets): Promise<LabResult> {
  return run(world, { tag, harness: lab.lay({ ...harness }), updater: 'static', budgets });
}

const h0 = ({ lock }: LabResult): string => lock.identity.harness;
const evolved = ({ report }: LabResult): string =>
  report.arms.flatMap((arm) => arm.champions).find(({ label }) => label === 'bestEvolved')?.digest ?? '';

describe('what was learnt', { timeout: 300_000 }, () => {
  test.each(publishedWorlds)('in $name is in the playbook alone and acts by its words alone', async (world) => {
    const learnt = await run(world);
    const harness = await learntHarness(lab, learnt);
    const [restored, irrelevant] = await Promise.all([
      runStatic(
        world,
        'restored',
        withPlaybook(harness, () => ''),
      ),
      runStatic(world, 'irrelevant', withPlaybook(harness, irrelevantRules)),
    ]);
    const calls = await Promise.all([learnt, restored].map(({ lock }) => lab.calls(lock)));

    expect(scoresOf(restored, h0(restored))).toEqual(scoresOf(learnt, h0(learnt)));
    expect(requestsOf(restored, calls[1] ?? [], h0(restored))).toEqual(requestsOf(learnt, calls[0] ?? [], h0(learnt)));

    expect(scoresOf(irrelevant, h0(irrelevant))).toEqual(scoresOf(learnt, h0(learnt)));
    expect(tokensOf(irrelevant, h0(irrelevant))).toBeGreaterThan(tokensOf(learnt, h0(learnt)));
  });

  test('gives the same scores by the same requests when it is taken up as another H0', async () => {
    const learnt = await run(worldNamed('no-transfer'));
    const kept = await runStatic(worldNamed('no-transfer'), 'kept', await learntHarness(lab, learnt));
    const calls = await Promise.all([learnt, kept].map(({ lock }) => lab.calls(lock)));
    expect(scoresOf(kept, h0(kept))).toEqual(scoresOf(learnt, evolved(learnt)));
    expect(requestsOf(kept, calls[1] ?? [], h0(kept))).toEqual(requestsOf(learnt, calls[0] ?? [], evolved(learnt)));
  });

  test('from shuffled diagnostics helps nowhere, though just as much was learnt', async () => {
    const [learnt, shuffled] = await Promise.all([
      run(worldNamed('help')),
      run(worldNamed('help'), { tag: 'shuffled' }),
    ]);
    expect(signsText(recoveredTruth(learnt.report).signs)).toBe('+ + +');
    expect(signsText(recoveredTruth(shuffled.report).signs)).toBe('0 0 0');
    expect(recoveredTruth(shuffled.report).gated).toBe('h0');
    const rules = await Promise.all(
      [learnt, shuffled].map(async (result) => rulesIn(await learntHarness(lab, result))),
    );
    expect(rules[0]).toBeGreaterThanOrEqual(3);
    expect(rules[1]).toBe(rules[0]);
  });

  test('costs tokens: a long playbook that says nothing runs an attempt into its limit, a wide one lets it pass', async () => {
    const world = worldNamed('null');
    const rule = `[misc-00001] helpful=0 harmful=0 :: ${'so it goes and '.repeat(20)}`;
    const playbook = `## OTHERS\n${`${rule}\n`.repeat(130)}`;
    const bare = readHarness();
    const long = withPlaybook(bare, () => playbook);
    const [free, tight, wide] = await Promise.all([
      runStatic(world, 'bare', bare),
      runStatic(world, 'tight', long),
      runStatic(world, 'wide', long, smoke),
    ]);
    expect(scoresOf(wide, h0(wide))).toEqual(scoresOf(free, h0(free)));
    expect(tokensOf(wide, h0(wide))).toBeGreaterThan(3 * tokensOf(free, h0(free)));
    for (const { planned, agentErrors } of tight.report.outcomes) {
      expect(agentErrors).toEqual([{ cause: 'token_limit', count: planned, h0: planned }]);
    }
    expect(tight.report.baseline).toMatchObject({ selection: { mean: 0 }, inDomain: { mean: 0 } });
  });
});

describe('a simulated model with faults', { timeout: 300_000 }, () => {
  test.each(FaultProfileName.options)('%s changes no sign, hides nothing and counts every token', async (faults) => {
    const { report, lock, records } = await run(worldNamed('no-transfer'), { faults, budgets: smoke });
    const world = `no-transfer+${faults}`;
    expect(signsText(recoveredTruth(report).signs)).toBe('+ + 0');
    expect(report).toMatchObject({ state: 'complete', simulated: true, world, unscored: [], findings: [] });
    expect(report.labels[0]).toContain(`world no-transfer · faults ${faults} · tests the engine`);
    expect(new Set(records.map((record) => record.world))).toEqual(new Set([world]));

    const calls = await lab.calls(lock);
    const served = calls.flatMap(({ servedModel }) => (servedModel === null ? [] : [servedModel]));
    expect(new Set(served)).toEqual(new Set([`simulated/${world}`]));
    for (const { state, basis, charged, reserved, reportedInput, reportedOutput } of calls) {
      expect(state).not.toBe('reserved');
      const reported = (reportedInput ?? 0) + (reportedOutput ?? 0);
      expect(charged).toBe(basis === 'upperBound' ? reserved : reported);
    }
    expect(kindsOf(calls)).toEqual(expectedKinds[faults]);
  });

  test.each(FaultProfileName.options)('%s makes just those ask again whose answer was taken', async (faults) => {
    const [calm, faulted] = await Promise.all([
      run(worldNamed('no-transfer'), { budgets: smoke }),
      run(worldNamed('no-transfer'), { faults, budgets: smoke }),
    ]);
    const [before, after] = await Promise.all([lab.calls(calm.lock), lab.calls(faulted.lock)]);
    expect(before.length - numbered(before).size).toBe(0);
    expect({
      gateway: after.length > numbered(after).size,
      harness: longestAttempt(after) > longestAttempt(before),
      requests: Math.sign(after.length - before.length),
    }).toEqual(askedAgain[faults]);
  });
});

/** Model calls by their own number, however many request attempts each took. */
function numbered(calls: Awaited<ReturnType<WorldLab['calls']>>): Set<string> {
  return new Set(calls.map(({ attemptKey, epoch, call }) => `${attemptKey} ${epoch} ${call}`));
}

function longestAttempt(calls: Awaited<ReturnType<WorldLab['calls']>>): number {
  return Math.max(...calls.map(({ call }) => call));
}

interface AskedAgain {
  /** Whether a call took more than one request attempt. */
  readonly gateway: boolean;
  /** Whether an attempt took more calls than any does without faults. */
  readonly harness: boolean;
  /** Whether there were more request attempts (1), as many (0) or fewer (-1) than without faults. */
  readonly requests: number;
}

const askedAgain: Readonly<Record<FaultProfileName, AskedAgain>> = {
  'rate-limits': { gateway: true, harness: false, requests: 1 },
  stalls: { gateway: true, harness: false, requests: 1 },
  'missing-usage': { gateway: false, harness: false, requests: 0 },
  truncated: { gateway: false, harness: true, requests: 1 },
  'malformed-calls': { gateway: false, harness: true, requests: 1 },
  'list-content': { gateway: false, harness: false, requests: 0 },
  // Some are asked again; others end their attempt before its last calls.
  refusals: { gateway: false, harness: true, requests: -1 },
  rough: { gateway: true, harness: true, requests: 1 },
};

/** How request attempts ended, other than answered with usage. */
function kindsOf(calls: Awaited<ReturnType<WorldLab['calls']>>): string[] {
  const kinds = calls.flatMap(({ state, basis, code }) =>
    state === 'settled' && basis === 'reported' ? [] : [`${state} ${code ?? 'without usage'}`],
  );
  return [...new Set(kinds)].toSorted();
}

const expectedKinds: Readonly<Record<FaultProfileName, readonly string[]>> = {
  'rate-limits': ['rejected rate_limited'],
  stalls: ['unknown timeout'],
  'missing-usage': ['settled without usage'],
  truncated: [],
  'malformed-calls': [],
  'list-content': [],
  refusals: [],
  rough: ['rejected rate_limited', 'settled without usage', 'unknown timeout'],
};

function rulesIn(harness: HarnessFiles): number {
  return new TextDecoder().decode(harness['playbook.md']).match(/ :: /g)?.length ?? 0;
}

function readHarness(): HarnessFiles {
  const read = (name: string): Uint8Array => readFileSync(join(packageRoot, 'harnesses', 'h0', name));
  return {
    'agent.py': read('agent.py'),
    'environment.py': read('environment.py'),
    'playbook.md': read('playbook.md'),
    'systemprompt.md': read('systemprompt.md'),
  };
}
