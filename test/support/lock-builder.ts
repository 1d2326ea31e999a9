import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import type { ExperimentLock, LockedTask } from '../../src/schema/experiment-lock.ts';
import type { ArmName, ExperimentId, HarnessDigest, Sha256, TaskId } from '../../src/schema/ids.ts';
import type { Modality, Split } from '../../src/schema/splits.ts';
import type { Milliseconds } from '../../src/schema/units.ts';

/** When every built experiment began, and the time of its first record. */
export const startedAt = Date.parse('2026-03-01T09:00:00.000Z');

export function digestOf(text: string): Sha256 {
  return createHash('sha256').update(text).digest('hex') as Sha256;
}

/** The digest of a revision by its name, `h0` or `ace/cand-1`. */
export function revisionDigest(name: string): HarnessDigest {
  return digestOf(`revision ${name}`) as string as HarnessDigest;
}

const taskKinds: readonly (readonly [name: string, split: Split, modality: Modality])[] = [
  ['p2', 'feedback', 'presentation'],
  ['p3', 'feedback', 'presentation'],
  ['d2', 'feedback', 'document'],
  ['d3', 'feedback', 'document'],
  ['x1', 'feedback', 'spreadsheet'],
  ['x2', 'feedback', 'spreadsheet'],
  ['p1', 'selection', 'presentation'],
  ['d1', 'selection', 'document'],
  ['x3', 'selection', 'spreadsheet'],
  ['p4', 'final-in-domain', 'presentation'],
  ['d4', 'final-in-domain', 'document'],
  ['x4', 'final-in-domain', 'spreadsheet'],
  ['c1', 'final-cross-office', 'cross-office'],
  ['c2', 'final-cross-office', 'cross-office'],
  ['c3', 'final-cross-office', 'cross-office'],
  ['c4', 'final-cross-office', 'cross-office'],
];

export function taskId(name: string): TaskId {
  return `office-mini/${name}` as TaskId;
}

function lockedTask([name, split, modality]: (typeof taskKinds)[number]): LockedTask {
  return {
    id: taskId(name),
    digest: digestOf(`task ${name}`),
    split,
    modality,
    leakageGroup: `group-${name}`,
    wallMs: 60_000 as Milliseconds,
    judgeWallMs: 60_000 as Milliseconds,
    deliverables: ['output/file'],
  };
}

export interface LockChanges {
  readonly name?: string;
  readonly id?: string;
  readonly arms?: readonly string[];
  readonly rule?: 'gated' | 'best-evolved';
  readonly real?: boolean;
  readonly createdAt?: number;
  readonly policiesFromEvaluationKeys?: boolean;
  /** Of solver and updater; by default none for the simulated model, unknown for a real one. */
  readonly prices?: ExperimentLock['operational']['prices'];
  /** Caps over the whole experiment. */
  readonly caps?: NonNullable<ExperimentLock['identity']['budgets']['experiment']>;
  /** Fault profile of the simulated models. */
  readonly faults?: string;
}

/** A frozen demo: 6 feedback, 3 selection, 3 in-domain and 4 cross-office tasks, one ACE arm, simulated. */
export function buildLock(changes: LockChanges = {}): ExperimentLock {
  const { name = 'demo', id = 'exp_41d0c2ab', arms = ['ace'], rule = 'gated', real = false } = changes;
  const sampling = { maxOutputTokens: 4096 };
  const model = real
    ? ({
        provider: 'openai',
        wire: 'chat',
        baseUrl: 'https://models.example/v1',
        model: 'model-a',
        keyVariable: 'MODEL_KEY',
        sampling,
        timeoutSeconds: 300,
        stream: false,
        servedModel: 'record',
      } as const)
    : ({
        provider: 'simulated',
        world: 'no-transfer',
        ...(changes.faults === undefined ? {} : { faults: changes.faults }),
        sampling,
      } as const);
  const price = real
    ? ({ kind: 'unknown', why: 'none of the entries is for model-a' } as const)
    : ({ kind: 'free', why: 'the simulated model is part of anneal, no request leaves this machine' } as const);
  const identity: ExperimentLock['identity'] = {
    version: 1,
    name,
    seed: 7,
    harness: revisionDigest('h0'),
    tasks: taskKinds.map(lockedTask),
    arms: arms.map((arm) =>
      arm === 'static'
        ? { name: arm as ArmName, updater: 'static' as const }
        : {
            name: arm as ArmName,
            updater: 'ace' as const,
            settings: { curatorOps: ['ADD' as const], playbookBytes: 65_536 },
          },
    ),
    models: { solver: model, updater: model, judge: null },
    world: real ? null : digestOf('world'),
    budgets: {
      version: 1,
      name: 'smoke',
      attempt: { calls: 20, tokens: 400_000, wallSeconds: { min: 30, max: 300 }, infrastructureRetries: 2 },
      arm: { updaterTokens: 2_000_000, candidates: 3, selectionQueries: 4, searchHours: 1 },
      ...(changes.caps === undefined ? {} : { experiment: changes.caps }),
    },
    judges: digestOf('judges'),
    runner: digestOf('runner'),
    environments: digestOf('environments'),
    reporting: { rule, disclosurePoints: 0.1, coverageFloor: { selection: 1, final: 0.95 } },
  };
  return {
    version: 1,
    id: id as ExperimentId,
    digest: digestOf(canonicalJson(identity)),
    createdAt: new Date(changes.createdAt ?? startedAt).toISOString(),
    engine: '0.1.0',
    identity,
    operational: {
      configPath: 'experiments/demo.yaml',
      lanes: 2,
      sandbox: { driver: 'bubblewrap', level: 'auto' },
      taskDirectories: {},
      policies: null,
      prices: changes.prices ?? { solver: price, updater: price },
      ...(changes.policiesFromEvaluationKeys === undefined
        ? {}
        : { policiesFromEvaluationKeys: changes.policiesFromEvaluationKeys }),
    },
  };
}
