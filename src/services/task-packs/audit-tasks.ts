import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { BubblewrapSandbox } from '../../adapters/bubblewrap.ts';
import { readTaskDirectory, type TaskDirectory } from '../../adapters/task-directory.ts';
import { AnnealError } from '../../domain/errors.ts';
import { judgeJailView } from '../../domain/jail-views.ts';
import { replayMisses } from '../../domain/replay-misses.ts';
import { JudgeReport } from '../../schema/judgement.ts';
import { TaskId } from '../../schema/ids.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { packageRoot } from '../package-root.ts';
import { ensurePythonEnvironments, environmentDirectory } from '../python/python-environments.ts';
import { replayDeclarations, replayOutputs } from './replay-outputs.ts';
import { sandboxSettings } from '../sandbox-settings.ts';
import { removeStaging } from '../data-home/staging.ts';
import { ensureOfficeMini } from './task-pack.ts';

const atOnce = 2;
const seconds = 120;

/** One replay of a task's judge against what the task declares. */
export interface ReplayResult {
  readonly task: string;
  readonly replay: string;
  /** The declared reward. */
  readonly expected: string;
  /** null when the judge gave no reward. */
  readonly reward: number | null;
  /** One sentence per declared field that the verdict missed: reward, delivered, failing, unknown, categories. */
  readonly misses: readonly string[];
  readonly ok: boolean;
}

/**
 * Put known outputs of every task of a folder through its judge, each in real jails: the reference, nothing, invalid
 * bytes, the unmodified inputs, the declared trap. Without a folder the built-in pack. About a second a replay.
 * @throws AnnealError ANL-1205 for a folder without tasks, ANL-1203 for a damaged task.
 */
export async function auditTasks(
  directory: string | undefined,
  home: DataHome,
  narrate: (line: string) => void,
): Promise<readonly ReplayResult[]> {
  const named = directory === undefined ? null : taskDirectories(resolve(directory));
  await ensurePythonEnvironments(home, ['solver', 'tools'], narrate);
  const { folder, tasks } = named ?? taskDirectories(await ensureOfficeMini(home), 'office-mini');
  narrate(`${tasks.length} tasks in ${folder}`);
  const sandbox = new BubblewrapSandbox(sandboxSettings(home));
  const scratch = mkdtempSync(join(home.run, 'audit-'));
  const limit = pLimit(atOnce);
  try {
    const results = await Promise.all(
      tasks.map((task, index) => limit(() => auditTask(home, sandbox, task, join(scratch, String(index)), index))),
    );
    return results.flat();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    removeStaging(home);
  }
}

function taskDirectories(
  folder: string,
  source = sourceNameOf(folder),
): { readonly folder: string; readonly tasks: readonly TaskDirectory[] } {
  const names =
    existsSync(folder) && statSync(folder).isDirectory()
      ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'task.toml')))
      : [];
  if (names.length === 0) throw new AnnealError('ANL-1205', { directory: folder, source: 'Harbor' });
  const tasks = names.toSorted().map((name) => readTaskDirectory(taskIdOf(source, name), join(folder, name)));
  return { folder, tasks };
}

/** What a folder may be called in an experiment file: it is shown only. */
function sourceNameOf(folder: string): string {
  return basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^(?![a-z0-9])/, 'x');
}

/** @throws AnnealError ANL-1203 for a folder whose name cannot be part of an id. */
function taskIdOf(source: string, name: string): TaskId {
  const id = TaskId.safeParse(`${source}/${name.toLowerCase()}`);
  if (id.success) return id.data;
  const why = 'the name of its folder may hold letters, digits, dot, dash and underscore only';
  throw new AnnealError('ANL-1203', { task: name }, { why });
}

async function auditTask(
  home: DataHome,
  sandbox: BubblewrapSandbox,
  task: TaskDirectory,
  scratch: string,
  slot: number,
): Promise<ReplayResult[]> {
  const declarations = replayDeclarations(task);
  const results: ReplayResult[] = [];
  for (const [name, declared] of Object.entries(declarations)) {
    const folder = join(scratch, name);
    const outputs = await replayOutputs(
      sandbox,
      { solver: environmentDirectory(home, 'solver') },
      task,
      name,
      declarations,
      folder,
    );
    const verdict = await judge(home, sandbox, task, outputs, `${folder}-judge`, slot);
    const [low, high] = declared.reward;
    const misses = replayMisses(declared, verdict);
    results.push({
      task: task.id,
      replay: name,
      expected: `${low === high ? low : `${low} to ${high}`}`,
      reward: verdict?.reward ?? null,
      misses,
      ok: misses.length === 0,
    });
  }
  return results;
}

async function judge(
  home: DataHome,
  sandbox: BubblewrapSandbox,
  task: TaskDirectory,
  outputs: string,
  stateDirectory: string,
  slot: number,
): Promise<JudgeReport | null> {
  const observed = await sandbox.judge(
    stateDirectory,
    {
      mode: 'judge',
      key: 'replay',
      epoch: 1,
      slot: slot + 1,
      ...judgeJailView({
        outputs,
        workDirectory: task.image.workdir,
        tests: join(task.path, 'tests'),
        judges: join(packageRoot, 'judges'),
        solver: environmentDirectory(home, 'solver'),
      }),
      limits: { wallMs: seconds * 1000 },
    },
    new AbortController().signal,
  );
  if (observed.kind === 'lost' || observed.done.reportText === null) return null;
  return JudgeReport.parse(JSON.parse(observed.done.reportText));
}
