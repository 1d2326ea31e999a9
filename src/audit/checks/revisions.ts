import { judge, type AuditCheck } from '../audit-check.ts';
import type { RevisionRecord } from '../../schema/record.ts';
import { isComplete, recordsOfKind, type AuditSources } from '../audit-sources.ts';

/** Every revision on record is a commit whose files hash to its digest, made as what it is on record as, within the cap, from a revision of its arm. */
export const revisionsCheck: AuditCheck = {
  name: 'revisions',
  run: async (sources) => {
    const { lock, files, resolve, harnessDigest } = sources;
    const revisions = recordsOfKind(sources, 'revision');
    const commits = new Set<string>(revisions.map(({ commit }) => commit));
    const faults: string[] = [];
    for (const record of revisions) {
      const { arm, candidate, commit, revision, parent, playbookBytes } = record;
      const name = candidate === 0 ? 'h0' : `${arm} cand-${candidate}`;
      const content = await files(commit);
      if (content === null) faults.push(`${name}: commit ${commit.slice(0, 12)} is not there`);
      else if (harnessDigest(content) !== revision) {
        faults.push(
          `${name}: its files hash to ${harnessDigest(content).slice(0, 12)}…, not ${revision.slice(0, 12)}…`,
        );
      } else if (content['playbook.md'].byteLength !== playbookBytes) {
        faults.push(`${name}: its playbook has ${content['playbook.md'].byteLength} bytes, not ${playbookBytes}`);
      }
      faults.push(...(await originFaults(sources, record)).map((fault) => `${name}: ${fault}`));
      const ref = refOf(lock.id, arm, candidate);
      const named = await resolve(ref);
      if (named !== commit)
        faults.push(`${name}: ${ref} names ${named?.slice(0, 12) ?? 'nothing'}, not ${commit.slice(0, 12)}`);
      if (candidate === 0 && revision !== lock.identity.harness) faults.push('h0 is not the frozen harness');
      if (parent !== null && !commits.has(parent)) faults.push(`${name}: its parent is no revision of this experiment`);
    }
    const { candidates: cap } = lock.identity.budgets.arm;
    for (const { name } of lock.identity.arms) {
      const own = revisions.filter(({ arm, candidate }) => arm === name && candidate > 0);
      if (own.length > cap) faults.push(`${name}: ${own.length} candidates, ${cap} allowed`);
      if (new Set(own.map(({ candidate }) => candidate)).size < own.length)
        faults.push(`${name}: a candidate is on record twice`);
    }
    faults.push(...unnamedRefs(sources));
    return judge(
      faults,
      `${revisions.length} commits hold the files that their digests name`,
      'restore harness.git from a copy; attempts of a revision that is not the recorded one count for nothing',
    );
  },
};

/** What a commit says of itself, which its hash covers: experiment, arm, candidate and parent. */
async function originFaults(
  { lock, describe }: AuditSources,
  { arm, candidate, commit, parent }: RevisionRecord,
): Promise<string[]> {
  const described = await describe(commit);
  if (described === null) return [];
  const { parents, trailers } = described;
  const expected = {
    'Anneal-Experiment': lock.digest as string,
    'Anneal-Candidate': String(candidate),
    ...(candidate === 0 ? {} : { 'Anneal-Arm': arm as string }),
  };
  return [
    ...(parents.join(' ') === (parent ?? '') ? [] : [`its commit's parent is not ${parent?.slice(0, 12) ?? 'none'}`]),
    ...Object.entries(expected)
      .filter(([key, value]) => trailers[key] !== value)
      .map(([key, value]) => `its commit says ${key} ${trailers[key] ?? 'nothing'}, not ${value}`),
  ];
}

/** Refs of a complete experiment that no record names: revisions and champions that were left off the record. */
function unnamedRefs(sources: AuditSources): string[] {
  const { lock, refs } = sources;
  if (!isComplete(sources)) return [];
  const named = new Set([
    ...recordsOfKind(sources, 'revision').map(({ arm, candidate }) => refOf(lock.id, arm, candidate)),
    ...recordsOfKind(sources, 'champion').map(({ tag }) => `refs/tags/${tag}`),
  ]);
  return refs.filter((ref) => !named.has(ref)).map((ref) => `${ref} is on no record`);
}

function refOf(id: string, arm: string, candidate: number): string {
  return candidate === 0 ? `refs/anneal/${id}/h0` : `refs/anneal/${id}/${arm}/cand/${candidate}`;
}
