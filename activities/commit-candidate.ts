import type { Activities, Revision } from '../src/contract/activities.ts';
import type { HarnessFiles } from '../src/schema/harness.ts';
import { harnessFileNames } from '../src/schema/harness.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { FileOverlay, Finding } from '../src/updaters/step-machine.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';
import { simulatedTrailer } from './simulated-trailer.ts';

/** Largest file of a revision, in bytes. */
const fileCap = 1_048_576;
/** Files that a candidate may replace until code edits pass their own guards. */
const editable: readonly string[] = ['playbook.md'];

/** Lay new files over the parent's, check them, commit them; the same bytes as an earlier revision are that revision. */
export function commitCandidate(
  { blobs, repository, experiments, clock }: ActivityDependencies,
  records: RecordStore,
): Activities['commitCandidate'] {
  return async ({ experimentId, arm, candidate, candidateCap, parent, files: overlay, earlier }) => {
    const lock = await experiments.lock(experimentId);
    const findings = refusals(overlay);
    const files: Record<string, Uint8Array> = { ...(await repository.files(parent.commit)) };
    for (const name of harnessFileNames) {
      const ref = overlay[name];
      if (ref === undefined) continue;
      const bytes = await blobs.get(ref.sha256);
      findings.push(...textFindings(name, bytes));
      files[name] = bytes;
    }
    if (findings.length > 0) return { kind: 'invalid', findings };
    const digest = experiments.digestOf(files as HarnessFiles);
    const known = earlier.find((revision) => revision.digest === digest);
    if (known !== undefined) return { kind: 'committed', revision: known, repeated: true };
    if (candidate > candidateCap) return { kind: 'refused' };
    const commit = await repository.commit(
      files as HarnessFiles,
      `${arm}: candidate ${candidate}`,
      {
        'Anneal-Experiment': lock.digest,
        'Anneal-Arm': arm,
        'Anneal-Candidate': String(candidate),
        'Anneal-Parent': parent.commit,
        ...simulatedTrailer(lock),
      },
      parent.commit,
    );
    await repository.publish(`refs/anneal/${lock.id}/${arm}/cand/${candidate}`, commit);
    const revision: Revision = { candidate, commit, digest };
    await records.append(lock, 'open', `revision/${arm}/${candidate}`, {
      kind: 'revision',
      ...recordStamp(lock, clock()),
      arm,
      candidate,
      commit,
      revision: digest,
      parent: parent.commit,
      playbookBytes: files['playbook.md']?.byteLength ?? 0,
    });
    return { kind: 'committed', revision, repeated: false };
  };
}

function refusals(overlay: FileOverlay): Finding[] {
  return Object.keys(overlay)
    .filter((name) => !editable.includes(name))
    .map((name) => ({ code: 'file-not-editable', text: `${name} may not be changed` }));
}

function textFindings(name: string, bytes: Uint8Array): Finding[] {
  if (bytes.byteLength > fileCap)
    return [{ code: 'file-too-large', text: `${name}: ${bytes.byteLength} of ${fileCap} bytes` }];
  const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes);
  if (text.includes('\uFFFD')) return [{ code: 'file-not-utf8', text: name }];
  return text.includes('\r') ? [{ code: 'file-not-lf', text: `${name} has carriage returns` }] : [];
}
