import { mkdir, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { AttemptRequest } from '../src/contract/activities.ts';
import type { TaskView } from '../src/contract/ports.ts';
import { taskJailView } from '../src/domain/jail-views.ts';
import type { HarnessFiles } from '../src/schema/harness.ts';
import type { Lease } from '../src/schema/lease.ts';
import type { Wire } from '../src/schema/model-call.ts';
import type { AttemptSandboxInput } from '../src/schema/sandbox.ts';
import type { JailSources } from './dependencies.ts';

/** Longest single command, in seconds. */
const commandSeconds = 120;

/** What a sandbox is asked for to run one revision on one task; the revision and the instruction are laid beside it. */
export async function attemptSandbox(request: {
  readonly attempt: AttemptRequest;
  readonly key: string;
  readonly epoch: number;
  readonly lease: Lease;
  readonly task: TaskView;
  readonly files: HarnessFiles;
  readonly model: string;
  /** What the harness's model client speaks at the gateway. */
  readonly wire: Wire;
  readonly jails: JailSources;
  /** `auto` takes the strongest that the machine offers. */
  readonly level: 'auto' | 'full' | 'user';
  readonly stateDirectory: string;
  readonly replayLogs: readonly string[];
}): Promise<AttemptSandboxInput> {
  const { lease, task, jails, stateDirectory } = request;
  const revision = await lay(join(stateDirectory, 'revision'), request.files);
  const attempt = await lay(join(stateDirectory, 'attempt'), {
    'attempt.json': JSON.stringify({
      instruction: task.instruction,
      cwd: task.workdir,
      model: request.model,
      wire: request.wire,
      token: lease.token,
      commandTimeoutSeconds: commandSeconds,
    }),
  });
  return {
    mode: 'attempt',
    key: request.key,
    epoch: request.epoch,
    slot: lease.slot,
    level: request.level,
    workDirectory: task.workdir,
    inputs: task.copies.map(({ source, destination }) => ({
      source,
      path: posix.relative(task.workdir, destination) || '.',
    })),
    lease: { socketDirectory: lease.socketDirectory, token: lease.token },
    harness: {
      argv: [
        ...['/opt/runner/bin/python', '-I', '/opt/anneal-runner/solve.py'],
        ...['--task', '/opt/attempt', '--harness', '/opt/harness', '--out', '/out'],
      ],
      mounts: [
        { source: jails.runner, target: '/opt/runner', how: 'bind' },
        { source: jails.runnerCode, target: '/opt/anneal-runner', how: 'copy' },
        { source: revision, target: '/opt/harness', how: 'copy' },
        { source: attempt, target: '/opt/attempt', how: 'copy' },
      ],
      environment: {
        PATH: '/opt/runner/bin:/usr/bin:/bin',
        HOME: '/tmp',
        LANG: 'C.UTF-8',
        MSWEA_SILENT_STARTUP: '1',
        MSWEA_GLOBAL_CONFIG_DIR: '/tmp/mini-swe-agent',
      },
    },
    task: taskJailView(jails.solver, task.environment),
    limits: {
      wallMs: task.locked.wallMs,
      elapsedMs: Math.min(lease.elapsedMs, task.locked.wallMs),
      commandMs: commandSeconds * 1000,
    },
    replayLogs: [...request.replayLogs],
  };
}

async function lay(folder: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return folder;
}
