import { canonicalAttempts } from '../../domain/canonical-attempts.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { feedbackEvidence } from '../../domain/feedback-evidence.ts';
import { attemptEffects } from '../../domain/effect-keys.ts';
import { unreadableDelivery } from '../../domain/unreadable-delivery.ts';
import { RunEffect } from '../../schema/attempt-effect.ts';
import { JudgeReport } from '../../schema/judgement.ts';
import { Outcome } from '../../schema/outcome.ts';
import { countText } from '../../report/layout/number-text.ts';
import type { AttemptRecord } from '../../schema/record.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { storedRecordsOf, type AuditSources } from '../audit-sources.ts';
import { runAnew } from '../run-anew.ts';

/** A document of evidence that is not as it should be: because of what was let through, or because its original is another one now. */
interface EvidenceFault {
  readonly kind: 'leak' | 'original';
  readonly text: string;
}

/**
 * What an updater received of an attempt is what the barrier lets through, member by member, made again from the originals:
 * the ledger's record, the outcome and usage that were booked at the time, the blobs. What was changed since is told as that.
 */
export const barrierCheck: AuditCheck = {
  name: 'barrier',
  run: async (sources) => {
    const records = storedRecordsOf(sources);
    // An attempt that infrastructure failed has a record of each start: evidence is of the one that counts.
    const attempts = canonicalAttempts(records).all;
    const faults: EvidenceFault[] = [];
    let documents = 0;
    for (const disclosure of records) {
      if (disclosure.kind !== 'disclosure') continue;
      for (const { content, attempt: key, blob } of disclosure.items) {
        if (content !== 'evidence') continue;
        documents += 1;
        const attempt = attempts.find((record) => record.key === key);
        if (attempt === undefined) {
          const text = `${disclosure.arm} received evidence of attempt ${key?.slice(0, 12) ?? ''}, which is not on record`;
          faults.push({ kind: 'leak', text });
        } else faults.push(...(await evidenceFaults(sources, attempt, blob)));
      }
    }
    const leaked = faults.some(({ kind }) => kind === 'leak');
    return judge(
      faults.map(({ text }) => text),
      `${countText(documents, 'document')} of evidence ${documents === 1 ? 'is' : 'are'} what the barrier lets through of feedback attempts`,
      leaked
        ? `its search saw what the barrier holds back: do not claim ${sources.lock.id}; mend the leak, ${runAnew}`
        : 'restore the records and blobs named from a copy: until then nobody can tell what passed the barrier',
    );
  },
};

async function evidenceFaults(sources: AuditSources, attempt: AttemptRecord, blob: string): Promise<EvidenceFault[]> {
  const name = `evidence of ${attempt.task} ${attempt.key.slice(0, 12)}`;
  const task = sources.tasks.find(({ locked }) => locked.id === attempt.task);
  const outcome = bookedOutcome(sources, attempt);
  const usage = bookedUsage(sources, attempt);
  if (task === undefined || (outcome.kind !== 'scored' && outcome.kind !== 'scored_with_agent_error')) {
    return [{ kind: 'leak', text: `${name}: it has no score on record` }];
  }
  const originals = {
    'the document': blob,
    'judge.json': attempt.blobs['judge'],
    trajectory: attempt.blobs['trajectory'],
  };
  const changed = await changedBlobs(sources, originals);
  if (changed.length > 0) {
    return changed.map((original) => ({ kind: 'original', text: `${name}: ${original} is missing or changed` }));
  }
  const result = feedbackEvidence({
    split: task.locked.split,
    taskId: attempt.task,
    modality: task.locked.modality,
    instruction: task.instruction,
    inputs: task.inputNames,
    outcome,
    report: await reportOf(sources, attempt, task.locked.deliverables),
    trajectory: await jsonOf(sources, attempt.blobs['trajectory']),
    calls: usage.calls,
    tokensCharged: usage.tokensCharged,
    canaries: sources.canaries,
  });
  if (result.kind === 'refused') return [{ kind: 'leak', text: `${name}: ${result.why}` }];
  const received = await jsonOf(sources, blob);
  if (typeof received !== 'object' || received === null) return [{ kind: 'leak', text: `${name} is no document` }];
  const { evidence } = result;
  const members = new Set([...Object.keys(evidence), ...Object.keys(received)]);
  const differing = [...members].filter((member) => textOf(evidence, member) !== textOf(received, member));
  if (differing.length === 0) return [];
  // The instruction and inputs of a task that is another one now are no leak.
  const kind = task.digest === task.locked.digest ? 'leak' : 'original';
  return [{ kind, text: `${name} differs in ${differing.join(', ')}` }];
}

/** The outcome that stood when the evidence was made; that of the record where the ledger has none. */
function bookedOutcome({ ledger }: AuditSources, { key, outcome }: AttemptRecord): Outcome {
  const booked = ledger.effect(attemptEffects.canonical(key)) as { readonly outcome?: unknown } | null;
  const parsed = Outcome.safeParse(booked?.outcome);
  return parsed.success ? parsed.data : outcome;
}

function bookedUsage({ ledger }: AuditSources, { key, epoch, usage }: AttemptRecord): AttemptRecord['usage'] {
  const run = RunEffect.safeParse(ledger.effect(attemptEffects.run(key, epoch)));
  return run.success ? run.data.usage : usage;
}

/** Names of those whose bytes are not there or not those of their digest. */
async function changedBlobs(
  { blob, sha256 }: AuditSources,
  digests: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const changed: string[] = [];
  for (const [name, digest] of Object.entries(digests)) {
    if (digest === undefined) continue;
    const bytes = await blob(digest);
    if (bytes === null || sha256(bytes) !== digest) changed.push(`${name} (blob ${digest.slice(0, 12)})`);
  }
  return changed;
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
