import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import type { TaskDirectory } from '../../adapters/task-directory.ts';
import type { SandboxPort } from '../../contract/sandbox-port.ts';
import { AnnealError } from '../../domain/errors.ts';
import { taskJailView } from '../../domain/jail-views.ts';
import { WorkPath } from '../../schema/work-path.ts';
import { packageRoot } from '../package-root.ts';

const corrupt = Buffer.from('\x00not a file of its type\xff\xfe\x00'.repeat(8), 'latin1');
const seconds = 60;

/** One replay's declaration in `replays/expected.toml`. */
const Declared = z.strictObject({
  /** What the replay shows, for people. */
  about: z.string().optional(),
  reward: z.tuple([z.number(), z.number()]),
  /** Input file to the place where it is delivered. */
  copies: z.record(WorkPath, WorkPath).optional(),
  delivered: z.boolean().optional(),
  failing: z.array(z.string()).optional(),
  unknown: z.array(z.string()).optional(),
  categories: z.array(z.string()).optional(),
});
/** `replays/expected.toml` of a task: what each named replay has to earn. `reward` is a range, both ends included. */
export const ReplayDeclarations = z.record(z.string().regex(/^[a-z0-9][a-z0-9._-]*$/), Declared);
export type ReplayDeclarations = z.infer<typeof ReplayDeclarations>;

/** What a task without declarations has to do: full marks for its solution, nothing for nothing. */
const usual: ReplayDeclarations = {
  reference: { reward: [1, 1] },
  empty: { reward: [0, 0] },
  corrupt: { reward: [0, 0] },
};

/**
 * A task's declarations, or the usual ones.
 * @throws AnnealError ANL-1203 for a file that is no TOML, and for a field or value that means nothing here.
 */
export function replayDeclarations(task: TaskDirectory): ReplayDeclarations {
  const file = join(task.path, 'replays', 'expected.toml');
  if (!existsSync(file)) return usual;
  try {
    return ReplayDeclarations.parse(parseToml(readFileSync(file, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new AnnealError('ANL-1203', { task: task.id }, { at: [{ file }], why, cause: error });
  }
}

/**
 * Lay out the working directory that a replay judges, in `folder`. Scripts run in real task jails.
 * @throws AnnealError ANL-1203 when the task's own script fails.
 */
export async function replayOutputs(
  sandbox: SandboxPort,
  environments: { readonly solver: string },
  task: TaskDirectory,
  name: string,
  declarations: ReplayDeclarations,
  folder: string,
): Promise<string> {
  const script = name === 'reference' ? 'solution/solve.py' : name === 'trap' ? 'replays/trap.py' : null;
  if (script !== null) return runScript(sandbox, environments, task, script, folder);
  const work = join(folder, 'work');
  mkdirSync(work, { recursive: true });
  for (const { source, destination } of task.image.copies) {
    cpSync(source, join(work, posix.relative(task.image.workdir, destination)), { recursive: true });
  }
  if (name === 'corrupt') {
    for (const file of task.toml.metadata.deliverables) {
      mkdirSync(dirname(join(work, file)), { recursive: true });
      writeFileSync(join(work, file), corrupt);
    }
  }
  for (const [source, target] of Object.entries(declarations[name]?.copies ?? {})) {
    mkdirSync(dirname(join(work, target)), { recursive: true });
    cpSync(join(work, source), join(work, target));
  }
  return work;
}

async function runScript(
  sandbox: SandboxPort,
  environments: { readonly solver: string },
  task: TaskDirectory,
  script: string,
  folder: string,
): Promise<string> {
  const target = `/replay/${script}`;
  const view = taskJailView(environments.solver, task.image.environment);
  rmSync(folder, { recursive: true, force: true });
  const started = await sandbox.start(folder, {
    mode: 'attempt',
    key: 'replay',
    epoch: 1,
    slot: 0,
    workDirectory: task.image.workdir,
    inputs: task.image.copies.map(({ source, destination }) => ({
      source,
      path: posix.relative(task.image.workdir, destination) || '.',
    })),
    lease: null,
    harness: {
      argv: ['/usr/bin/python3', '-I', '/opt/anneal-runner/run_command.py', String(seconds), `python ${target}`],
      mounts: [{ source: join(packageRoot, 'harnesses', 'runner'), target: '/opt/anneal-runner', how: 'copy' }],
      environment: { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' },
    },
    task: {
      ...view,
      mounts: [...view.mounts, { source: join(task.path, dirname(script)), target: dirname(target), how: 'copy' }],
    },
    limits: { wallMs: (seconds + 10) * 1000 },
  });
  const observed = started.kind === 'lost' ? started : await sandbox.observe(folder, new AbortController().signal);
  const ended = observed.kind === 'lost' ? observed.reason : observed.done.end;
  if (typeof ended === 'object' && ended.kind === 'exited' && ended.code === 0) return join(folder, 'out', 'work');
  const log = join(folder, 'harness.log');
  const tail = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-2).join(' | ') : '';
  throw new AnnealError(
    'ANL-1203',
    { task: task.id },
    { at: [{ file: join(task.path, script) }], why: `${JSON.stringify(ended)} ${tail}` },
  );
}
