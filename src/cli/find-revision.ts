import { AnnealError } from '../domain/errors.ts';
import { revisionsOf, type NamedRevision } from '../report/revisions.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { CommitHash } from '../schema/ids.ts';
import type { ExperimentRecord } from '../schema/record.ts';

/** A revision that git can show. */
export type CommittedRevision = NamedRevision & { readonly commit: CommitHash };

/**
 * The revision that a person means: `h0`, `cand-2`, `gated`, `bestEvolved`, each with its arm before a slash where
 * several arms have one and they differ, or the start of a digest or commit.
 * @throws AnnealError ANL-1014 with what was available.
 */
export function findRevision(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  wanted: string,
): CommittedRevision {
  const { h0, candidates } = revisionsOf(lock, records);
  const committed: CommittedRevision[] = [...(h0.commit === null ? [] : [{ ...h0, commit: h0.commit }]), ...candidates];
  const several = lock.identity.arms.length > 1;
  const named = committed.map((revision) => ({
    names: [revision.name, `${revision.arm ?? 'h0'}/${revision.name}`],
    shown: several && revision.arm !== null ? `${revision.arm}/${revision.name}` : revision.name,
    revision,
  }));
  const champions = records.flatMap((record) => {
    if (record.kind !== 'champion') return [];
    const revision = committed.find(({ digest }) => digest === record.revision);
    const shown = several ? `${record.arm}/${record.label}` : record.label;
    return revision === undefined ? [] : [{ names: [record.label, `${record.arm}/${record.label}`], shown, revision }];
  });
  const known = [...named, ...champions];
  const byName = known.filter(({ names }) => names.includes(wanted)).map(({ revision }) => revision);
  const byHash = committed.filter(
    ({ digest, commit }) => wanted.length >= 4 && (digest.startsWith(wanted) || commit.startsWith(wanted)),
  );
  const found = byName.length > 0 ? byName : byHash;
  const [first] = found;
  // Arms may come to the same four files, each with a commit of its own.
  if (first !== undefined && found.every(({ digest }) => digest === first.digest)) return first;
  const available = known.map(({ shown }) => shown).join(', ') || 'none yet';
  const why = found.length > 1 ? `"${wanted}" fits ${found.length} revisions that differ` : null;
  throw new AnnealError('ANL-1014', { revision: wanted, experiment: lock.id, available }, why === null ? {} : { why });
}
