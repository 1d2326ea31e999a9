import type { Activities, ExperimentPlan, Revision } from '../src/contract/activities.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { experimentRegistration } from '../src/schema/experiment-registration.ts';
import type { HarnessFiles } from '../src/schema/harness.ts';
import type { ArmName } from '../src/schema/ids.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RecordStore } from './record-store.ts';
import { simulatedTrailer } from './simulated-trailer.ts';

/** Register budgets and models, commit H0, return what the workflows need. */
export function prepareExperiment(
  { gateway, blobs, repository, experiments, clock }: ActivityDependencies,
  records: RecordStore,
): Activities['prepareExperiment'] {
  return async ({ experimentId }) => {
    const lock = await experiments.lock(experimentId);
    await gateway.registerExperiment(experimentRegistration(lock));
    const { files } = await experiments.h0(experimentId);
    const h0 = await commitH0(lock, files, { repository, experiments });
    // Before the record: whoever audits it finds them.
    const h0Files = {
      'agent.py': await blobs.put(files['agent.py']),
      'environment.py': await blobs.put(files['environment.py']),
      'playbook.md': await blobs.put(files['playbook.md']),
      'systemprompt.md': await blobs.put(files['systemprompt.md']),
    };
    await records.append(lock, 'open', 'revision/h0', {
      kind: 'revision',
      ...recordStamp(lock, clock()),
      arm: 'h0' as ArmName,
      candidate: 0,
      commit: h0.commit,
      revision: h0.digest,
      parent: null,
      playbookBytes: files['playbook.md'].byteLength,
    });
    return planOf(lock, h0, h0Files);
  };
}

/** Each experiment has an H0 commit of its own. One that stands with the frozen files is kept, whatever its trailers. */
async function commitH0(
  lock: ExperimentLock,
  files: HarnessFiles,
  { repository, experiments }: Pick<ActivityDependencies, 'repository' | 'experiments'>,
): Promise<Revision> {
  await repository.initialise();
  const ref = `refs/anneal/${lock.id}/h0`;
  const digest = lock.identity.harness;
  const standing = await repository.resolve(ref);
  if (standing !== null && experiments.digestOf(await repository.files(standing)) === digest) {
    return { candidate: 0, commit: standing, digest };
  }
  const commit = await repository.commit(
    files,
    'H0',
    { 'Anneal-Experiment': lock.digest, 'Anneal-Candidate': '0', ...simulatedTrailer(lock) },
    null,
  );
  await repository.publish(ref, commit);
  return { candidate: 0, commit, digest };
}

function planOf({ id, identity }: ExperimentLock, h0: Revision, h0Files: ExperimentPlan['h0Files']): ExperimentPlan {
  return {
    experimentId: id,
    seed: identity.seed,
    h0,
    h0Files,
    tasks: identity.tasks.map(({ id: taskId, split, modality, leakageGroup, wallMs }) => ({
      id: taskId,
      split,
      modality,
      leakageGroup,
      wallMs,
    })),
    arms: identity.arms,
    budgets: identity.budgets,
  };
}
