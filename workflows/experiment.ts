import { CancellationScope, executeChild, isCancellation, setHandler } from '@temporalio/workflow';
import type { ExperimentPlan, FrozenChampion, Revision } from '../src/contract/activities.ts';
import { nameChampions } from '../src/domain/champions.ts';
import { hasCaps } from '../src/domain/has-caps.ts';
import { seededOrder } from '../src/domain/seeded-order.ts';
import type { ArmName, ExperimentId } from '../src/schema/ids.ts';
import type { Split } from '../src/schema/splits.ts';
import type { ArmInput, ArmResult } from './arm-state.ts';
import { experimentStatus, type ExperimentStatus } from './messages.ts';
import { long, short } from './proxies.ts';
import { childOptions, type PassInput } from './run-child.ts';
import { runCovered } from './run-covered.ts';
import { tellShares } from './tell-shares.ts';
import { Steering } from './steering.ts';
import { workflowIds } from './workflow-ids.ts';

/** A frozen experiment and how many attempts may be in flight at a time. */
export interface ExperimentInput {
  readonly experimentId: ExperimentId;
  readonly lanes: number;
}

/** History events of a search after which it goes on as a new run. */
const historyPage = 2_000;
/** Attempts of H0 itself belong to no updater's arm. */
const h0Arm = 'h0' as ArmName;
const finalSplits: readonly Split[] = ['final-in-domain', 'final-cross-office'];

/** The protocol: baseline, search per arm, freeze, final, report. */
export async function experiment(input: ExperimentInput): Promise<void> {
  const steering = new Steering({ paused: false, lanes: input.lanes });
  let phase: ExperimentStatus['phase'] = 'baseline';
  let searching: ArmName | null = null;
  let prepared = false;
  setHandler(experimentStatus, () => ({ phase, arm: searching, ...steering.state() }));
  const enter = async (next: typeof phase): Promise<void> => {
    phase = next;
    await decide(input.experimentId, `phase-started/${next}`, 'phase-started', next);
  };
  try {
    const plan = await long.prepareExperiment({ experimentId: input.experimentId });
    prepared = true;
    await holdShares(plan, 'baseline', null);
    await enter('baseline');
    await runBaseline(plan, steering);
    await enter('search');
    const results: (readonly [ArmName, ArmResult])[] = [];
    for (const arm of plan.arms) {
      const laterArms = arm.updater === 'static' ? {} : await holdShares(plan, `${arm.name}/search`, arm.name);
      searching = arm.name;
      const id = workflowIds.arm(plan.experimentId, arm.name);
      const result: ArmResult = await steering.around(id, (state) =>
        executeChild('arm', {
          ...childOptions(id),
          args: [{ plan, arm, steering: state, ...laterArms, state: null, historyPage }],
        }),
      );
      results.push([arm.name, result]);
    }
    searching = null;
    await enter('freeze');
    const champions = results.flatMap(([name, result]) => championsOf(name, result));
    await short.freezeChampions({ experimentId: plan.experimentId, champions });
    await enter('final');
    await runFinal(plan, champions, steering);
    await enter('report');
    await long.writeReport({ experimentId: plan.experimentId, ended: 'complete' });
    phase = 'complete';
  } catch (error) {
    if (!isCancellation(error)) throw error;
    phase = 'cancelled';
    searching = null;
    await CancellationScope.nonCancellable(async () => {
      if (!prepared) await long.prepareExperiment({ experimentId: input.experimentId });
      await decide(input.experimentId, 'experiment-cancelled', 'experiment-cancelled', 'cancelled on request');
      await long.writeReport({ experimentId: input.experimentId, ended: 'cancelled' });
    });
    throw error;
  }
}

async function runBaseline(plan: ExperimentPlan, steering: Steering): Promise<void> {
  const pass = {
    experimentId: plan.experimentId,
    arm: h0Arm,
    phase: 'baseline' as const,
    revisions: [plan.h0],
    tasks: tasksOf(plan, ['selection']),
    replicate: 0,
    infrastructureRetries: plan.budgets.attempt.infrastructureRetries,
  };
  await runCovered(steering, { name: 'baseline', splits: ['selection'], endsWithoutGain: false }, pass);
}

async function runFinal(plan: ExperimentPlan, champions: readonly FrozenChampion[], steering: Steering): Promise<void> {
  const tasks = tasksOf(plan, finalSplits);
  if (tasks.length === 0) return;
  const wallMsOf = new Map(tasks.map(({ id, wallMs }) => [id, wallMs]));
  const order = seededOrder(plan.seed, [...wallMsOf.keys()]);
  const revisions: Revision[] = [plan.h0];
  for (const { revision } of champions) {
    if (!revisions.some((known) => known.digest === revision.digest)) revisions.push(revision);
  }
  const pass = {
    experimentId: plan.experimentId,
    arm: h0Arm,
    phase: 'final' as const,
    revisions,
    tasks: order.map((id) => ({ id, wallMs: wallMsOf.get(id) ?? 0 })),
    replicate: 0,
    infrastructureRetries: plan.budgets.attempt.infrastructureRetries,
  };
  await runCovered(steering, { name: 'final', splits: finalSplits, endsWithoutGain: true }, pass);
}

function tasksOf(plan: ExperimentPlan, splits: readonly Split[]): PassInput['tasks'] {
  return plan.tasks.filter(({ split }) => splits.includes(split)).map(({ id, wallMs }) => ({ id, wallMs }));
}

/**
 * Before anything is spent that they are to outlast: hold back what the final test and the arms to come need of each cap.
 * Returns the part of later arms, which stays as it is while this one searches; nothing without caps.
 */
async function holdShares(plan: ExperimentPlan, id: string, arm: ArmName | null): Promise<Pick<ArmInput, 'laterArms'>> {
  if (!hasCaps(plan)) return {};
  const { experimentId } = plan;
  const at = plan.arms.findIndex(({ name }) => name === arm);
  const count = plan.arms.slice(at + 1).filter(({ updater }) => updater !== 'static').length;
  const allowances = await short.holdShare({ experimentId, laterArms: { count: arm === null ? 0 : count } });
  for (const allowance of allowances) {
    const reason = tellShares(allowance, arm);
    const { kind, limit, used, finals, laterArms, left } = allowance;
    const figures = { limit, used, finals, laterArms, left };
    await short.recordDecision({
      experimentId,
      id: `share-held/${id}/${kind}`,
      arm,
      event: 'share-held',
      reason,
      figures,
    });
  }
  return { laterArms: Object.fromEntries(allowances.map(({ kind, laterArms }) => [kind, laterArms])) };
}

function championsOf(arm: ArmName, { evaluated }: ArmResult): FrozenChampion[] {
  const named = nameChampions(
    evaluated.map(({ revision, exact }) => ({
      revision: revision.digest,
      candidate: revision.candidate,
      exactPoints: exact,
    })),
  );
  const labels = ['gated', 'bestEvolved'] as const;
  return labels.flatMap((label) => {
    const champion = named[label];
    if (champion.kind === 'none') return [];
    const found = evaluated.find(({ revision }) => revision.digest === champion.revision);
    return found === undefined ? [] : [{ arm, label, revision: found.revision }];
  });
}

async function decide(experimentId: ExperimentId, id: string, event: string, reason: string): Promise<void> {
  await short.recordDecision({ experimentId, id, arm: null, event, reason, figures: {} });
}
