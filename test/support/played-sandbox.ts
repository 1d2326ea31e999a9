import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createHash } from 'node:crypto';
import { execa } from 'execa';
import { treeDigest } from '../../src/adapters/tree-digest.ts';
import type { SandboxObservation, SandboxPort, SandboxStart } from '../../src/contract/sandbox-port.ts';
import type { Sha256 } from '../../src/schema/ids.ts';
import type { AttemptDone, JudgeDone, SandboxProbe } from '../../src/schema/sandbox-done.ts';
import type { AttemptSandboxInput, JudgeSandboxInput } from '../../src/schema/sandbox.ts';
import { playAgent } from './played-agent.ts';
import { PlayedCommands } from './played-commands.ts';
import { judgesFolder, solverPython } from './solver-python.ts';

interface Verdict {
  readonly rewardText: string;
  readonly reportText: string;
}

/**
 * Sandboxes without jails for experiments of the simulated model on the built-in pack: model calls go through the
 * real gateway, scripts and judges really run, but what was run before on the same files is remembered. Fast enough for
 * dozens of whole experiments, and safe only because the simulated solver plays scripts that ship with the pack.
 */
export class PlayedSandbox implements SandboxPort {
  private readonly scratch: string;
  private readonly commands: PlayedCommands;
  private readonly lives = new Map<string, Promise<AttemptDone>>();
  private readonly verdicts = new Map<string, Promise<Verdict>>();

  constructor(scratch: string) {
    this.scratch = scratch;
    this.commands = new PlayedCommands(join(scratch, 'states'));
  }

  async probe(): Promise<SandboxProbe> {
    return { kind: 'impossible', cause: 'unknown', reason: 'played', remedy: 'none' };
  }

  async start(directory: string, sandbox: AttemptSandboxInput | JudgeSandboxInput): Promise<SandboxStart> {
    if (sandbox.mode !== 'attempt') throw new Error('judge runs are not started');
    if (this.lives.has(directory)) return { kind: 'adopted' };
    this.lives.set(directory, this.play(directory, sandbox));
    return { kind: 'started' };
  }

  async observe(directory: string): Promise<SandboxObservation<AttemptDone>> {
    const life = this.lives.get(directory);
    if (life === undefined) throw new Error(`nothing runs in ${directory}`);
    return { kind: 'done', done: await life };
  }

  async stop(): Promise<void> {}

  async judge(
    _directory: string,
    sandbox: JudgeSandboxInput,
  ): Promise<SandboxObservation<JudgeDone & { readonly reportText: string | null }>> {
    const source = (target: string): string =>
      sandbox.mounts.find((mount) => mount.target === target)?.source ?? '/nonexistent';
    const [tests, outputs] = [source('/tests'), source('/app')];
    const key = createHash('sha256')
      .update(`${tests} ${treeDigest(outputs)}`)
      .digest('hex')
      .slice(0, 24);
    const known = this.verdicts.get(key) ?? this.runJudge(tests, outputs, join(this.scratch, 'verdicts', key));
    this.verdicts.set(key, known);
    const done = { mode: 'judge' as const, ...facts, ...(await known), peakMemoryBytes: { judge: null } };
    return { kind: 'done', done };
  }

  private async play(directory: string, sandbox: AttemptSandboxInput): Promise<AttemptDone> {
    const read = (...path: string[]): string => readFileSync(join(directory, ...path), 'utf8');
    const { instruction, cwd } = JSON.parse(read('attempt', 'attempt.json')) as { instruction: string; cwd: string };
    if (sandbox.lease === null) throw new Error('an attempt without a lease');
    const attempt = {
      systemTemplate: read('revision', 'systemprompt.md'),
      playbook: read('revision', 'playbook.md'),
      instruction,
      workDirectory: cwd,
      lease: sandbox.lease,
    };
    const ended = await playAgent(attempt, this.commands, this.commands.start(sandbox.inputs));
    const work = join(directory, 'out', 'work');
    cpSync(ended.state.folder, work, { recursive: true });
    mkdirSync(join(directory, 'out', 'harness'), { recursive: true });
    const output = ended.exitStatus === 'Submitted' ? 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n' : '';
    writeFileSync(join(directory, 'commands.jsonl'), `${JSON.stringify({ n: ended.commands, output })}\n`);
    const messages = ended.messages.map(({ role, content }) => ({ role, content }));
    writeFileSync(join(directory, 'out', 'harness', 'trajectory.json'), JSON.stringify({ messages }));
    return {
      mode: 'attempt',
      ...facts,
      outcomeText: JSON.stringify({ exit_status: ended.exitStatus, exception_signature: '' }),
      files: filesOf(work),
      notes: [],
      notesTotal: 0,
      commands: ended.commands,
      replayed: 0,
      divergedAtCommand: null,
      refusals: {},
      extendedMs: 0,
      harnessOutputBytes: 0,
      peakMemoryBytes: { harness: null, task: null },
    };
  }

  private async runJudge(tests: string, outputs: string, verdict: string): Promise<Verdict> {
    mkdirSync(verdict, { recursive: true });
    const parameters = ['-I', join(judgesFolder, 'run.py'), tests, '--workdir', outputs, '--verdict', verdict];
    await execa(solverPython, parameters, { cwd: '/' });
    const read = (name: string): string => readFileSync(join(verdict, name), 'utf8');
    return { rewardText: read('reward.txt'), reportText: read('judge.json') };
  }
}

const facts = {
  version: 1 as const,
  end: { kind: 'exited' as const, code: 0 },
  level: 'user' as const,
  isolation: { uids: 'shared' as const, cgroup: 'none' as const },
  wallMs: 10,
  cpuMs: 1,
  keeperCpuMs: 1,
  phasesMs: { run: 10 },
};

function filesOf(folder: string): AttemptDone['files'] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex') as Sha256;
      return { path: relative(folder, path), bytes: statSync(path).size, sha256, changed: true };
    });
}
