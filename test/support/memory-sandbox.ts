import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxObservation, SandboxPort, SandboxStart } from '../../src/contract/sandbox-port.ts';
import type { Sha256 } from '../../src/schema/ids.ts';
import type { JudgeReport } from '../../src/schema/judgement.ts';
import type { AttemptDone, JudgeDone, SandboxEnd, SandboxProbe } from '../../src/schema/sandbox-done.ts';
import type { AttemptSandboxInput, JudgeSandboxInput } from '../../src/schema/sandbox.ts';

/** What an attempt leaves; `lost` = its keeper is gone without a result. */
export type ScriptedRun =
  | { readonly kind: 'lost'; readonly reason: string; readonly elapsedMs: number }
  | {
      readonly kind: 'done';
      readonly end: SandboxEnd;
      readonly outcome: unknown;
      readonly outputs: Readonly<Record<string, string>>;
      /** Lines of `commands.jsonl`, for later epochs. */
      readonly commands?: readonly string[];
    };

/** How a judge run ends. */
export interface ScriptedJudge {
  readonly end: SandboxEnd;
  readonly rewardText: string | null;
  readonly reportText: string | null;
}

export type Judged = SandboxObservation<JudgeDone & { readonly reportText: string | null }>;

/** A run that submits one right file. */
export const submitted: Extract<ScriptedRun, { kind: 'done' }> = {
  kind: 'done',
  end: { kind: 'exited', code: 0 },
  outcome: { exit_status: 'Submitted', exception_signature: '' },
  outputs: { 'out.txt': 'right' },
  commands: ['{"n":1,"output":"COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\\n"}'],
};

const stoppedRun: ScriptedRun = { kind: 'done', end: { kind: 'stopped' }, outcome: null, outputs: {} };

export function reportOf(reward: number, changes: Partial<JudgeReport> = {}): JudgeReport {
  return {
    version: 1,
    delivered: true,
    deliveryFaults: [],
    criteria: [],
    rewardDeterministic: reward,
    rewardVisual: null,
    reward,
    vector: { semantic: reward, preservation: null, interaction: null, strict: reward === 1 },
    ...changes,
  };
}

/** A judge that gives a reward and says the same in its report. */
export function verdict(reward: number, changes: Partial<JudgeReport> = {}): ScriptedJudge {
  return {
    end: { kind: 'exited', code: 0 },
    rewardText: `${reward}\n`,
    reportText: JSON.stringify(reportOf(reward, changes)),
  };
}

interface Life {
  readonly ended: Promise<ScriptedRun>;
  readonly end: (run: ScriptedRun) => void;
  over: ScriptedRun | null;
}

/** Sandboxes in memory that keep to the port: one life per directory, adopted by whoever comes, outliving its starter. */
export class MemorySandbox implements SandboxPort {
  readonly starts: {
    readonly directory: string;
    readonly sandbox: AttemptSandboxInput;
    readonly result: SandboxStart['kind'];
  }[] = [];
  readonly judged: { readonly directory: string; readonly sandbox: JudgeSandboxInput }[] = [];
  readonly stopped: string[] = [];
  /** How the next attempts go; `hold` leaves them running until `finish`. */
  run: (sandbox: AttemptSandboxInput, count: number) => ScriptedRun | 'hold' | Promise<ScriptedRun> = () => submitted;
  judgement: (sandbox: JudgeSandboxInput, count: number) => ScriptedJudge | Promise<never> = () => verdict(1);
  private readonly lives = new Map<string, Life>();
  private made = 0;

  async probe(): Promise<SandboxProbe> {
    return { kind: 'impossible', cause: 'unknown', reason: 'in memory', remedy: 'none' };
  }

  async start(directory: string, sandbox: AttemptSandboxInput | JudgeSandboxInput): Promise<SandboxStart> {
    if (sandbox.mode !== 'attempt') throw new Error('judge runs are not started');
    const known = this.lives.get(directory);
    const result = await this.begin(directory, sandbox, known);
    this.starts.push({ directory, sandbox, result: result.kind });
    return result;
  }

  async observe(directory: string, signal: AbortSignal): Promise<SandboxObservation<AttemptDone>> {
    const life = this.lives.get(directory);
    if (life === undefined) throw new Error(`nothing runs in ${directory}`);
    const run = await Promise.race([life.ended, abortOf(signal)]);
    if (run.kind === 'lost') return run;
    return { kind: 'done', done: doneOf(run) };
  }

  async stop(directory: string): Promise<void> {
    this.stopped.push(directory);
    if (this.lives.get(directory)?.over === null) await this.finish(directory, stoppedRun);
  }

  async judge(directory: string, sandbox: JudgeSandboxInput, signal: AbortSignal): Promise<Judged> {
    this.judged.push({ directory, sandbox });
    const judgement = this.judgement(sandbox, this.judged.length);
    const { end, rewardText, reportText } = await Promise.race([judgement, abortOf(signal)]);
    const peakMemoryBytes = { judge: null };
    return { kind: 'done', done: { mode: 'judge', ...facts, end, rewardText, reportText, peakMemoryBytes } };
  }

  /** Ends the attempt that runs in a directory. */
  async finish(directory: string, run: ScriptedRun): Promise<void> {
    await layOut(directory, run);
    this.lives.get(directory)?.end(run);
  }

  private async begin(directory: string, sandbox: AttemptSandboxInput, known: Life | undefined): Promise<SandboxStart> {
    if (known !== undefined) {
      if (known.over === null) return { kind: 'adopted' };
      return known.over.kind === 'lost' ? known.over : { kind: 'already-done' };
    }
    let end: (run: ScriptedRun) => void = () => {};
    const life: Life = {
      over: null,
      ended: new Promise((resolve) => {
        end = resolve;
      }),
      end: (run) => {
        life.over ??= run;
        end(life.over);
      },
    };
    this.lives.set(directory, life);
    this.made += 1;
    const run = await this.run(sandbox, this.made);
    if (run !== 'hold') await this.finish(directory, run);
    return { kind: 'started' };
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

const facts = {
  version: 1 as const,
  level: 'user' as const,
  isolation: { uids: 'shared' as const, cgroup: 'none' as const },
  wallMs: 10,
  cpuMs: 1,
  keeperCpuMs: 1,
  phasesMs: { run: 10 },
};

async function layOut(directory: string, run: ScriptedRun): Promise<void> {
  if (run.kind === 'lost') return;
  for (const [path, text] of Object.entries(run.outputs)) {
    const file = join(directory, 'out', 'work', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (run.commands === undefined) return;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'commands.jsonl'), run.commands.map((line) => `${line}\n`).join(''));
}

function doneOf(run: Extract<ScriptedRun, { kind: 'done' }>): AttemptDone {
  const files = Object.entries(run.outputs).map(([path, text]) => ({
    path,
    bytes: text.length,
    sha256: createHash('sha256').update(text).digest('hex') as Sha256,
    changed: true,
  }));
  return {
    mode: 'attempt',
    ...facts,
    end: run.end,
    outcomeText: run.outcome === null ? null : JSON.stringify(run.outcome),
    files,
    notes: [],
    notesTotal: 0,
    commands: run.commands?.length ?? 0,
    replayed: 0,
    divergedAtCommand: null,
    refusals: {},
    extendedMs: 0,
    harnessOutputBytes: 0,
    peakMemoryBytes: { harness: null, task: null },
  };
}
