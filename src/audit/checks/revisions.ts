import { judge, type AuditCheck } from '../audit-check.ts';
import { recordsOfKind } from '../audit-sources.ts';

/** Every revision on record is a commit whose files hash to its digest, within the cap, from a revision of its arm. */
export const revisionsCheck: AuditCheck = {
  name: 'revisions',
  run: async (sources) => {
    const { lock, files, resolve, harnessDigest } = sources;
    const revisions = recordsOfKind(sources, 'revision');
    const commits = new Set<string>(revisions.map(({ commit }) => commit));
    const faults: string[] = [];
    for (const { arm, candidate, commit, revision, parent } of revisions) {
      const name = candidate === 0 ? 'h0' : `${arm} cand-${candidate}`;
      const content = await files(commit);
      if (content === null) faults.push(`${name}: commit ${commit.slice(0, 12)} is not there`);
      else if (harnessDigest(content) !== revision) {
        faults.push(
          `${name}: its files hash to ${harnessDigest(content).slice(0, 12)}…, not ${revision.slice(0, 12)}…`,
        );
      }
      const ref = candidate === 0 ? `refs/anneal/${lock.id}/h0` : `refs/anneal/${lock.id}/${arm}/cand/${candidate}`;
      const named = await resolve(ref);
      if (named !== commit)
        faults.push(`${name}: ${ref} names ${named?.slice(0, 12) ?? 'nothing'}, not ${commit.slice(0, 12)}`);
      if (candidate === 0 && revision !== lock.identity.harness) faults.push('h0 is not the frozen harness');
      if (parent !== null && !commits.has(parent)) faults.push(`${name}: its parent is no revision of this experiment`);
    }
    const { candidates: cap } = lock.identity.budgets.arm;
    for (const { name } of lock.identity.arms) {
      const count = revisions.filter(({ arm, candidate }) => arm === name && candidate > 0).length;
      if (count > cap) faults.push(`${name}: ${count} candidates, ${cap} allowed`);
    }
    return judge(
      faults,
      `${revisions.length} commits hold the files that their digests name`,
      'restore harness.git from a copy; attempts of a revision that is not the recorded one count for nothing',
    );
  },
};
