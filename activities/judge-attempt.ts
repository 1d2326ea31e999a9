import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TaskView } from '../src/contract/ports.ts';
import { judgeJailView } from '../src/domain/jail-views.ts';
import { JudgeEffect, type RunEffect } from '../src/schema/attempt-effect.ts';
import type { Sha256 } from '../src/schema/ids.ts';
import { JudgeReport } from '../src/schema/judgement.ts';
import type { JudgeSandboxInput } from '../src/schema/sandbox.ts';
import { attemptEffects } from '../src/domain/effect-keys.ts';
import type { AttemptEpoch } from './attempt-epoch.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { storeEffect } from './effect.ts';
import { activitySignal, cancellationKind } from './heartbeat.ts';
import { JudgeSlots } from './judge-slots.ts';
import { frozenProgram } from './frozen-program.ts';
import { parsedJson } from '../src/domain/parsed-json.ts';

type JudgeObservation = Awaited<ReturnType<ActivityDependencies['sandbox']['judge']>>;
type Judging = ActivityDependencies & { readonly slots: JudgeSlots };
type Verdict = JudgeEffect | { readonly kind: 'killed'; readonly reason: string };

const judgeTries = 2;

/**
 * Which outputs are judged: as the copy-out left them, or only as they were stored. The folder of an epoch that was run in
 * another life of the worker may be gone, half gone or, after a power cut, emptied.
 */
export type OutputTree = 'collected' | 'stored';

/** Judges the collected outputs of one epoch; `name` tells one judging of it from another. Nothing is stored. */
export type JudgeOutputs = (ran: JudgedEpoch, run: RunEffect, name: string, tree: OutputTree) => Promise<JudgeEffect>;

/** What judging needs to know of an epoch. */
export type JudgedEpoch = Pick<AttemptEpoch, 'experimentId' | 'taskId' | 'key' | 'epoch'>;

/**
 * Run a task's tests over the collected outputs. A judge that fails is tried once more; the run is never repeated for it.
 * @throws AnnealError ANL-2004 while the judges are not the frozen ones: nothing is judged then.
 */
export function judgeOutputs(dependencies: ActivityDependencies): JudgeOutputs {
  const { experiments, clock } = dependencies;
  const judging: Judging = { ...dependencies, slots: new JudgeSlots() };
  return async (ran, run, name, tree) => {
    const judges = frozenProgram(dependencies, await experiments.lock(ran.experimentId), 'judges');
    const task = await experiments.task(ran.experimentId, ran.taskId);
    const startedAt = clock();
    const outputs = await outputTree(dependencies, ran, run, tree);
    let verdict: Verdict = { kind: 'failed', reason: 'not judged' };
    let kills = 0;
    for (let attempt = 1; attempt <= judgeTries && verdict.kind !== 'judged'; attempt++) {
      verdict = await judgeOnce(judging, ran, task, outputs, `${name}-${attempt}`, judges, startedAt);
      if (verdict.kind === 'killed') kills++;
    }
    if (verdict.kind !== 'killed') return verdict;
    return kills === judgeTries && (await judgeWorks(judging, ran, task, `${name}-control`))
      ? { kind: 'judged', reward: 0, report: null, judges, phases: {}, cpuMs: {} }
      : { kind: 'failed', reason: verdict.reason };
  };
}

/** Judge an epoch for the first time; whatever comes of it is stored. `tree`: as for `JudgeOutputs`. */
export function judgeAttempt(
  dependencies: ActivityDependencies,
  judge: JudgeOutputs,
): (ran: AttemptEpoch, run: RunEffect, tree: OutputTree) => Promise<JudgeEffect> {
  return async (ran, run, tree) =>
    storeEffect(
      dependencies.gateway,
      attemptEffects.judge(ran.key, ran.epoch),
      JudgeEffect,
      await judge(ran, run, 'judge', tree),
    );
}

/** The outputs where the copy-out left them, or laid out again from their blobs. */
async function outputTree(
  { blobs, experiments }: ActivityDependencies,
  { key, epoch }: JudgedEpoch,
  run: RunEffect,
  tree: OutputTree,
): Promise<string> {
  const stateDirectory = experiments.stateDirectory(key, epoch);
  const collected = join(stateDirectory, 'out', 'work');
  if (tree === 'collected' && existsSync(collected)) return collected;
  const rebuilt = join(stateDirectory, 'rebuilt');
  await mkdir(rebuilt, { recursive: true });
  for (const { path, sha256 } of run.outputs) {
    const file = join(rebuilt, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await blobs.get(sha256));
  }
  return rebuilt;
}

async function judgeOnce(
  judging: Judging,
  ran: JudgedEpoch,
  task: TaskView,
  outputs: string,
  name: string,
  judges: Sha256,
  startedAt: number,
): Promise<Verdict> {
  const observed = await runJudge(judging, ran, task, outputs, name);
  if (observed.kind === 'lost') return { kind: 'failed', reason: observed.reason };
  const { end, rewardText, phasesMs, keeperCpuMs, cpuMs } = observed.done;
  if (
    end.kind === 'wall_limit' ||
    end.kind === 'out_of_memory' ||
    end.kind === 'output_limit' ||
    end.kind === 'signalled'
  ) {
    return { kind: 'killed', reason: `the judge ended by ${end.kind}` };
  }
  if (end.kind !== 'exited') return { kind: 'failed', reason: `the judge ended by ${end.kind}` };
  const report = parseReport(observed.done.reportText);
  const reward = Number(rewardText?.trim() || Number.NaN);
  if (report === null || !Number.isFinite(reward) || Math.abs(reward - report.reward) > 1e-9) {
    return {
      kind: 'failed',
      reason: `exit ${end.code}, reward ${rewardText?.trim() ?? 'absent'}, judge.json ${report === null ? 'unreadable' : 'read'}`,
    };
  }
  // As the judge wrote it: the raw evidence behind the number.
  const { sha256 } = await judging.blobs.put(observed.done.reportText ?? '');
  const phases = { ...prefixed(phasesMs), judge: judging.clock() - startedAt };
  return {
    kind: 'judged',
    reward,
    report: sha256,
    judges,
    phases,
    cpuMs: { judgeKeeper: keeperCpuMs, judgeJails: cpuMs },
  };
}

/** Whether the judge gives a verdict on an empty delivery: if so, what killed it was the output. */
async function judgeWorks(judging: Judging, ran: JudgedEpoch, task: TaskView, name: string): Promise<boolean> {
  const empty = join(judging.experiments.stateDirectory(ran.key, ran.epoch), 'empty');
  await mkdir(empty, { recursive: true });
  const observed = await runJudge(judging, ran, task, empty, name);
  return observed.kind === 'done' && observed.done.end.kind === 'exited' && observed.done.rewardText !== null;
}

async function runJudge(
  { sandbox, experiments, jails, slots }: Judging,
  ran: JudgedEpoch,
  task: TaskView,
  outputs: string,
  name: string,
): Promise<JudgeObservation> {
  const spec: Omit<JudgeSandboxInput, 'slot'> = {
    mode: 'judge',
    key: ran.key.slice(0, 20),
    epoch: ran.epoch,
    level: (await experiments.lock(ran.experimentId)).operational.sandbox.level,
    ...judgeJailView({
      outputs,
      workDirectory: task.workdir,
      tests: join(task.path, 'tests'),
      judges: jails.judges,
      solver: jails.solver,
    }),
    limits: { wallMs: task.locked.judgeWallMs },
  };
  const stateDirectory = join(experiments.stateDirectory(ran.key, ran.epoch), name);
  try {
    return await slots.with((slot) => sandbox.judge(stateDirectory, { ...spec, slot }, activitySignal()));
  } catch (error) {
    if (cancellationKind() === 'workflow') await sandbox.stop(stateDirectory);
    throw error;
  }
}

function parseReport(text: string | null): JudgeReport | null {
  return text === null ? null : (JudgeReport.safeParse(parsedJson(text)).data ?? null);
}

function prefixed(phases: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(phases).map(([name, value]) => [`judge.${name}`, value]));
}
