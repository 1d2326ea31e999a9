import { attemptEffects, callEffect } from '../domain/effect-keys.ts';
import { JudgeEffect, RunEffect } from '../schema/attempt-effect.ts';
import { harnessFileNames } from '../schema/harness.ts';
import { attemptName } from './attempt-name.ts';
import { recordsOfKind, type AuditSources } from './audit-sources.ts';

/** Bytes that the engine keeps under their digest. */
export interface KeptBlob {
  /** What they are, for people: role or path and whose, for example `output/deck.pptx of office-mini/p2 1f2e3d4c5b6a#1`. */
  readonly name: string;
  readonly digest: string;
}

interface Epoch {
  readonly key: string;
  readonly epoch: number;
  readonly task: string;
}

/** Every blob of an experiment: what attempts left, what judges said, what updaters received, wrote and made of it, and H0. */
export async function keptBlobs(sources: AuditSources): Promise<readonly KeptBlob[]> {
  const attempts = recordsOfKind(sources, 'attempt');
  const judgements = recordsOfKind(sources, 'judgement');
  return [
    ...attempts.flatMap((attempt) => [
      ...namedBlobs(attempt, attempt.blobs),
      ...runBlobs(sources, attempt),
      ...judgeBlobs(sources, attempt, attemptEffects.judge(attempt.key, attempt.epoch)),
    ]),
    ...judgements.flatMap((again) => [
      ...namedBlobs(again, again.blobs),
      ...judgeBlobs(sources, again, attemptEffects.judgeAgain(again.key, again.epoch, again.judgement)),
    ]),
    ...recordsOfKind(sources, 'disclosure').flatMap(({ arm, items }) =>
      items.map(({ content, blob }) => ({ name: `${content} of ${arm}`, digest: blob })),
    ),
    ...callBlobs(sources),
    ...(await h0Blobs(sources)),
  ];
}

function namedBlobs(epoch: Epoch, blobs: Readonly<Record<string, string>>): KeptBlob[] {
  return Object.entries(blobs).map(([role, digest]) => ({ name: `${role} of ${attemptName(epoch)}`, digest }));
}

/** What an epoch left, by the ledger. An effect that is missing is a fault of its record, told with the judgements. */
function runBlobs({ ledger }: AuditSources, epoch: Epoch): KeptBlob[] {
  const run = RunEffect.safeParse(ledger.effect(attemptEffects.run(epoch.key, epoch.epoch)));
  if (!run.success) return [];
  const outputs = run.data.outputs.map(({ path, sha256 }) => ({
    name: `${path} of ${attemptName(epoch)}`,
    digest: sha256,
  }));
  return [...namedBlobs(epoch, run.data.blobs), ...outputs];
}

function judgeBlobs({ ledger }: AuditSources, epoch: Epoch, effect: string): KeptBlob[] {
  const judged = JudgeEffect.safeParse(ledger.effect(effect));
  if (!judged.success || judged.data.kind !== 'judged' || judged.data.report === null) return [];
  return [{ name: `judge of ${attemptName(epoch)}`, digest: judged.data.report }];
}

/** A reply as it was given and as it was read, by the ledger. */
function callBlobs({ ledger, lock }: AuditSources): KeptBlob[] {
  const calls = new Map(
    ledger
      .epochs(lock.id)
      .filter(({ role }) => role === 'updater')
      .map(({ attemptKey, arm }) => [attemptKey, arm]),
  );
  return [...calls].flatMap(([key, arm]) => {
    const result = ledger.effect(callEffect(key)) as { readonly value?: Readonly<Record<string, unknown>> } | null;
    return (['text', 'parsed'] as const).flatMap((part) => {
      const reference = result?.value?.[part] as { readonly sha256?: unknown } | undefined;
      const digest = reference?.sha256;
      return typeof digest === 'string' ? [{ name: `reply (${part}) ${key.slice(0, 12)} of ${arm}`, digest }] : [];
    });
  });
}

/** Updaters start from the files of H0. */
async function h0Blobs(sources: AuditSources): Promise<KeptBlob[]> {
  const h0 = recordsOfKind(sources, 'revision').find(({ candidate }) => candidate === 0);
  const files = h0 === undefined ? null : await sources.files(h0.commit);
  if (files === null) return [];
  return harnessFileNames.map((name) => ({ name: `${name} of h0`, digest: sources.sha256(files[name]) }));
}
