import { z } from 'zod';
import { Sha256, TaskId } from './ids.ts';
import { Modality } from './splits.ts';

/** Why an imported task may or may not be run. Anything but `ok` is quarantined. */
export const ImportStatus = z.enum([
  'ok',
  'unsatisfiable',
  'vacuous',
  'contradictory',
  'needs-network',
  'needs-llm',
  'inputs-missing',
]);
export type ImportStatus = z.infer<typeof ImportStatus>;

/** Something an importer found by replay or by comparing names. */
export const ImportFinding = z.object({
  kind: z.enum([
    'unsatisfiable',
    'contradictory',
    'vacuous',
    'partly-vacuous',
    'existence-only',
    'weak-keywords',
    'answer-in-inputs',
    'answer-in-file-name',
    'named-file-absent',
    'no-testbed',
    'inputs-missing',
    'needs-vision',
    'corrupt-passes',
  ]),
  detail: z.string(),
});
export type ImportFinding = z.infer<typeof ImportFinding>;

/** One replay: the reward and which items of the evaluation passed; `defect` where the judge itself gave up. */
export const ImportReplay = z.object({
  reward: z.number(),
  passed: z.array(z.boolean()),
  defect: z.string().nullable(),
});
export type ImportReplay = z.infer<typeof ImportReplay>;

/** One upstream task and what became of it: its package, why it is listed or quarantined, what its replays earned. */
export const ImportedTask = z.object({
  id: TaskId,
  sourceId: z.string(),
  status: ImportStatus,
  /** True where the task stands in `tasks.json`; false means that its package lies under `quarantine/`. */
  listed: z.boolean(),
  /** One sentence each; empty for a listed task. */
  reasons: z.array(z.string()),
  findings: z.array(ImportFinding),
  modality: Modality,
  leakageGroup: z.string(),
  /** `expected`: the reference comes from upstream's answer files; `derived`: it was made from the evaluation keys. */
  oracle: z.enum(['derived', 'expected']),
  needsVision: z.boolean(),
  deliverables: z.array(z.string()),
  /** Path below the working directory to SHA-256. */
  inputs: z.record(z.string(), Sha256),
  /** SHA-256 over the package's sorted file listing. */
  packageSha256: Sha256,
  replays: z.object({
    oracle: ImportReplay,
    empty: ImportReplay,
    unmodified: ImportReplay,
    corrupt: ImportReplay,
    careless: ImportReplay,
  }),
});
export type ImportedTask = z.infer<typeof ImportedTask>;

/** `import-report.json`, version 1. Holds no answer, and is still for people, not for an updater. */
export const ImportReport = z.object({
  version: z.literal(1),
  importer: z.string(),
  mode: z.string(),
  source: z.object({
    project: z.string(),
    url: z.string(),
    revision: z.string(),
    /** `checkout`: read from the source's own git folder; `given`: by the caller; `assumed`: the revision known to be published. */
    revisionFrom: z.enum(['checkout', 'given', 'assumed']),
    licence: z.string(),
    /** SHA-256 over the sorted listing of every task file that was read. */
    listingSha256: Sha256,
  }),
  totals: z.object({
    upstreamTasks: z.number(),
    tasks: z.number(),
    listed: z.number(),
    byStatus: z.record(z.string(), z.number()),
    /** By status, and `existence-only` for tasks whose status is ok but which rubbish under the right names passes. */
    quarantinedBy: z.record(z.string(), z.number()),
    listedByModality: z.record(z.string(), z.number()),
    byFinding: z.record(z.string(), z.number()),
    /** Distinct input files, and how many of them more than one upstream task uses. */
    inputFiles: z.number(),
    inputFilesReused: z.number(),
  }),
  /** Leakage groups of two or more upstream tasks with the files that join them. */
  groups: z.array(
    z.object({
      id: z.string(),
      upstreamTasks: z.array(z.string()),
      joinedBy: z.array(z.object({ sha256: Sha256, files: z.array(z.string()) })),
    }),
  ),
  tasks: z.array(ImportedTask),
});
export type ImportReport = z.infer<typeof ImportReport>;
