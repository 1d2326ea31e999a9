import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ArmName, CommitHash, HarnessDigest } from '../schema/ids.ts';
import type { ExperimentRecord } from '../schema/record.ts';

/** A revision as screens name it: `h0`, or `cand-n` of one arm. */
export interface NamedRevision {
  /** null for H0. */
  readonly arm: ArmName | null;
  readonly name: string;
  readonly digest: HarnessDigest;
}

interface Candidate extends NamedRevision {
  readonly arm: ArmName;
  readonly commit: CommitHash;
}

/** Every committed revision of an experiment; H0's commit is null before it is on record. */
export interface Revisions {
  readonly h0: NamedRevision & { readonly commit: CommitHash | null };
  /** In arm order, then in the order of submission. */
  readonly candidates: readonly Candidate[];
}

/** H0 from the lock, candidates from the revision records. */
export function revisionsOf(lock: ExperimentLock, records: readonly ExperimentRecord[]): Revisions {
  const recorded = records.filter((record) => record.kind === 'revision');
  const digest = lock.identity.harness;
  const h0 = recorded.find(({ candidate }) => candidate === 0);
  const candidates = lock.identity.arms.flatMap(({ name: arm }) =>
    recorded
      .filter((record) => record.arm === arm && record.candidate > 0)
      .toSorted((left, right) => left.candidate - right.candidate)
      .map(({ candidate, commit, revision }) => ({
        arm,
        name: revisionName(candidate),
        digest: revision,
        commit,
      })),
  );
  return { h0: { arm: null, name: 'h0', digest, commit: h0?.commit ?? null }, candidates };
}

/** `h0` for 0, else `cand-n`. */
export function revisionName(candidate: number): string {
  return candidate === 0 ? 'h0' : `cand-${candidate}`;
}
