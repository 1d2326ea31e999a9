import type { Activities } from '../src/contract/activities.ts';
import { AnnealError } from '../src/domain/errors.ts';
import { feedbackEvidence } from '../src/domain/feedback-evidence.ts';
import { unreadableDelivery } from '../src/domain/unreadable-delivery.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { AttemptRecord, DisclosureRecord } from '../src/schema/record.ts';
import type { TaskEvidence } from '../src/updaters/step-machine.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { foldPass } from './fold-pass.ts';
import { judgedReport } from './judged-report.ts';
import { recordDisclosure } from './record-disclosure.ts';
import type { RecordStore } from './record-store.ts';

/** The evidence of a feedback pass; every document passed the barrier before it was stored. */
export function collectFeedback(
  dependencies: ActivityDependencies,
  records: RecordStore,
): Activities['collectFeedback'] {
  const { experiments, clock } = dependencies;
  return async ({ experimentId, arm, revision, taskIds, replicate }) => {
    const lock = await experiments.lock(experimentId);
    const { attempts } = foldPass(lock, await records.all(experimentId), revision, taskIds, replicate);
    const canaries = await experiments.canaries(experimentId);
    const noteRemoved = async (attempt: AttemptRecord, removed: number): Promise<void> => {
      await records.append(lock, 'open', `decision/sealed-text-removed/${attempt.key}`, {
        kind: 'decision',
        ...recordStamp(lock, clock()),
        arm,
        event: 'sealed-text-removed',
        reason: `sealed text stood in the evidence of ${attempt.task} and was taken out before the updater received it`,
        figures: { removed },
      });
    };
    const evidence: TaskEvidence[] = [];
    const items: DisclosureRecord['items'] = [];
    for (const attempt of attempts) {
      const one = await evidenceOf(dependencies, lock, attempt, canaries, noteRemoved);
      if (one === null) continue;
      evidence.push(one);
      items.push({ content: 'evidence', attempt: attempt.key, blob: one.evidence.sha256 });
    }
    await recordDisclosure(records, lock, clock(), { arm, items });
    const done = { kind: 'feedback-pass' as const, revision: revision.digest, evidence };
    const scored = new Set<string>(evidence.map(({ taskId }) => taskId));
    const missing = taskIds.filter((taskId) => !scored.has(taskId));
    return missing.length === 0
      ? { kind: 'ok', value: done }
      : { kind: 'partial', done, missing, why: `${missing.length} of ${taskIds.length} attempts have no score` };
  };
}

async function evidenceOf(
  { blobs, experiments }: ActivityDependencies,
  lock: ExperimentLock,
  attempt: AttemptRecord,
  canaries: readonly string[],
  noteRemoved: (attempt: AttemptRecord, removed: number) => Promise<void>,
): Promise<TaskEvidence | null> {
  const { outcome } = attempt;
  if (outcome.kind !== 'scored' && outcome.kind !== 'scored_with_agent_error') return null;
  const task = await experiments.task(lock.id, attempt.task);
  const report = (await judgedReport(blobs, attempt)) ?? unreadableDelivery(task.locked.deliverables);
  const result = feedbackEvidence({
    split: attempt.split,
    taskId: attempt.task,
    modality: attempt.modality,
    instruction: task.instruction,
    inputs: task.inputNames,
    outcome,
    report,
    trajectory: await readTrajectory(blobs, attempt),
    calls: attempt.usage.calls,
    tokensCharged: attempt.usage.tokensCharged,
    canaries,
  });
  if (result.kind === 'refused')
    throw new AnnealError('ANL-6009', { state: `feedback evidence refused: ${result.why}` });
  if (result.removed > 0) await noteRemoved(attempt, result.removed);
  return { taskId: attempt.task, evidence: await blobs.putJson(result.evidence) };
}

/** The trajectory as the jail wrote it, null when it is absent or no JSON. */
async function readTrajectory(blobs: ActivityDependencies['blobs'], attempt: AttemptRecord): Promise<unknown> {
  const sha256 = attempt.blobs['trajectory'];
  if (sha256 === undefined) return null;
  try {
    return await blobs.getJson(sha256);
  } catch {
    return null;
  }
}
