import { callEffect } from '../../domain/effect-keys.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { recordsOfKind, storedRecordsOf, type AuditSources } from '../audit-sources.ts';
import { keptBlobs } from '../kept-blobs.ts';

/** Whatever an attempt, a judge or an updater left is kept as it was: every blob is there and hashes to its name. */
export const blobsCheck: AuditCheck = {
  name: 'blobs',
  run: async (sources) => {
    const { blob, sha256 } = sources;
    const named = new Map<string, string>();
    for (const { name, digest } of await keptBlobs(sources)) if (!named.has(digest)) named.set(digest, name);
    const faults = lostReplies(sources);
    for (const [digest, name] of named) {
      const bytes = await blob(digest);
      const state = bytes === null ? 'missing' : sha256(bytes) === digest ? 'kept' : 'changed';
      if (state !== 'kept') faults.push(`${name}: blobs/sha256/${digest.slice(0, 2)}/${digest} is ${state}`);
    }
    return judge(
      faults,
      `${named.size} blobs hash to their names`,
      'restore the blobs named from a copy; without them nothing is judged or looked at again',
    );
  },
};

/** Whose reply is on record gave a result in the ledger, once nothing is under way or was cut off. */
function lostReplies(sources: AuditSources): string[] {
  const isComplete = storedRecordsOf(sources).some(
    (record) => record.kind === 'decision' && record.event === 'experiment-closed' && record.reason === 'complete',
  );
  if (!isComplete) return [];
  return recordsOfKind(sources, 'disclosure')
    .filter(({ key, items }) => key !== null && items.some(({ content }) => content === 'reply'))
    .filter(({ key }) => sources.ledger.effect(callEffect(key ?? '')) === null)
    .map(({ key, arm }) => `the result of call ${key?.slice(0, 12) ?? ''} of ${arm} is not in the ledger`);
}
