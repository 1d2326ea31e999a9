import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { AnnealError } from '../../domain/errors.ts';
import type { CellValue } from './key-oracle.ts';

const Replay = z.object({
  reward: z.number(),
  items: z.array(z.object({ passed: z.boolean(), decided: z.boolean(), observed: z.string() })),
  defect: z.string().nullable(),
});
/** What the judge gave a script's files. `defect`: the script or its judging broke down; null where both came to their end. */
export type Replay = z.infer<typeof Replay>;

const TaskReplays = z.object({
  id: z.string(),
  replays: z.object({ oracle: Replay, empty: Replay, unmodified: Replay, corrupt: Replay }),
  alternatives: z.record(z.string(), Replay),
  careless: z.array(Replay),
});
/** Every script of one task, judged; `careless` in the order in which they were asked for. */
export type TaskReplays = z.infer<typeof TaskReplays>;

const CellRows: z.ZodType<CellValue[][]> = z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])));

const Answer = z.object({
  inputs: z.array(z.object({ path: z.string(), characters: z.number(), found: z.array(z.string()) })),
  workbooks: z.array(z.object({ path: z.string(), rows: CellRows.nullable() })),
  tasks: z.array(TaskReplays),
});
/** What Python found; `rows` is null where a workbook holds more than plain values. */
export type ReplayAnswer = z.infer<typeof Answer>;

/** Files to look into, with words to look for, and tasks to replay. Paths are absolute, scripts are Python texts. */
export interface ReplayRequest {
  readonly inputs: readonly { readonly path: string; readonly words: readonly string[] }[];
  readonly workbooks: readonly string[];
  readonly tasks: readonly {
    readonly id: string;
    /** Folder of the package's tests. */
    readonly tests: string;
    readonly oracle: string;
    readonly alternatives: Readonly<Record<string, string>>;
    readonly careless: readonly string[];
  }[];
}

/** What runs the importer's replays, outside any jail: no solver's file is ever among them. */
export interface JudgePrograms {
  /** Python interpreter with the office libraries. */
  readonly python: string;
  /** The folder `judges/` of anneal. */
  readonly judges: string;
}

/** Inspects files and replays tasks in one Python process, at most 15 minutes. Throws ANL-1204 where it breaks down. */
export async function replay(programs: JudgePrograms, request: ReplayRequest): Promise<ReplayAnswer> {
  const program = join(programs.judges, 'officebench_replay.py');
  const text = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      programs.python,
      ['-I', program],
      { maxBuffer: 512 * 1024 * 1024, timeout: 900_000, encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(breakdown(request.tasks.length, stderr.trim().split('\n').slice(-3).join(' ') || error.message));
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(request));
  });
  const parsed = Answer.safeParse(JSON.parse(text));
  if (!parsed.success) throw breakdown(request.tasks.length, z.prettifyError(parsed.error));
  return parsed.data;
}

function breakdown(total: number, why: string): AnnealError {
  return new AnnealError('ANL-1204', { failed: total, total, pack: 'officebench' }, { why });
}
