import { canonicalAttempts } from '../../domain/canonical-attempts.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { feedbackEvidence } from '../../domain/feedback-evidence.ts';
import { rewardOf } from '../../domain/outcome.ts';
import { unreadableDelivery } from '../../domain/unreadable-delivery.ts';
import { JudgeReport } from '../../schema/judgement.ts';
import type { AttemptRecord } from '../../schema/record.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { recordsOf, recordsOfKind, type AuditSources } from '../audit-sources.ts';

/** What an updater received of an attempt is what the barrier lets through, member by member, made again from the originals. */
export const barrierCheck: AuditCheck = {
  name: 'barrier',
  run: async (sources) => {
    const attempts = canonicalAttempts(recordsOf(sources)).records;
    const faults: string[] = [];
    let documents = 0;
    for (const { arm, items } of recordsOfKind(sources, 'disclosure')) {
      for (const { content, attempt: key, blob } of items) {
        if (content !== 'evidence') continue;
        documents += 1;
        const attempt = attempts.find((record) => record.key === key && rewardOf(record.outcome) !== null);
        if (attempt === undefined) faults.push(`${arm} received evidence of an attempt that has no score on record`);
        else faults.push(...(await evidenceFaults(sources, attempt, blob)));
      }
    }
    return judge(
      faults,
      `${documents} documents of evidence are what the barrier lets through of feedback attempts`,
      `its search saw what the barrier holds back: do not claim ${sources.lock.id}; mend the leak, then: anneal run FILE --new`,
    );
  },
};

async function evidenceFaults(sources: AuditSources, attempt: AttemptRecord, blob: string): Promise<string[]> {
  const name = `evidence of ${attempt.task} ${attempt.key.slice(0, 12)}`;
  const task = sources.tasks.find(({ locked }) => locked.id === attempt.task);
  const { outcome } = attempt;
  if (task === undefined || (outcome.kind !== 'scored' && outcome.kind !== 'scored_with_agent_error')) {
    return [`${name} has no original`];
  }
  const result = feedbackEvidence({
    split: attempt.split,
    taskId: attempt.task,
    modality: attempt.modality,
    instruction: task.instruction,
    inputs: task.inputNames,
    outcome,
    report: await reportOf(sources, attempt, task.locked.deliverables),
    trajectory: await jsonOf(sources, attempt.blobs['trajectory']),
    calls: attempt.usage.calls,
    tokensCharged: attempt.usage.tokensCharged,
    canaries: sources.canaries,
  });
  if (result.kind === 'refused') return [`${name}: ${result.why}`];
  const received = await jsonOf(sources, blob);
  if (typeof received !== 'object' || received === null) return [`${name} cannot be read`];
  const { evidence } = result;
  const members = new Set([...Object.keys(evidence), ...Object.keys(received)]);
  const differing = [...members].filter((member) => textOf(evidence, member) !== textOf(received, member));
  return differing.length === 0 ? [] : [`${name} differs in ${differing.join(', ')}`];
}

function textOf(document: object, member: string): string {
  return canonicalJson((document as Record<string, unknown>)[member] ?? null);
}

async function reportOf(
  sources: AuditSources,
  attempt: AttemptRecord,
  deliverables: readonly string[],
): Promise<JudgeReport> {
  const parsed = JudgeReport.safeParse(await jsonOf(sources, attempt.blobs['judge']));
  return parsed.success ? parsed.data : unreadableDelivery(deliverables);
}

/** null where there is none, or it is no JSON. */
async function jsonOf({ blob }: AuditSources, digest: string | undefined): Promise<unknown> {
  const bytes = digest === undefined ? null : await blob(digest);
  try {
    return bytes === null ? null : JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
