import { createHash } from 'node:crypto';
import type { Activities, Revision } from '../src/contract/activities.ts';
import { canonicalJson } from '../src/domain/canonical-json.ts';
import { visibleToUpdater } from '../src/domain/visibility.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { ArmName, Sha256 } from '../src/schema/ids.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { foldPass } from './fold-pass.ts';
import type { RecordStore } from './record-store.ts';

/** Book one disclosure for a revision of an arm; a digest that was disclosed before costs nothing. */
export function reserveQuery({ gateway, experiments }: ActivityDependencies): Activities['reserveQuery'] {
  return async ({ experimentId, arm, revision }) => {
    const lock = await experiments.lock(experimentId);
    const booked = await gateway.reserveQuery(referenceOf(lock, arm, revision));
    if (booked.kind === 'disclosed') return { kind: 'repeated', points: booked.shown, exact: booked.exact };
    return booked.kind === 'reserved'
      ? { kind: 'reserved', query: booked.query }
      : { kind: 'refused', used: booked.used, cap: booked.cap };
  };
}

/** Disclose one rounded number at selection's floor or above; below it, or when interrupted, release the query and say so. */
export function discloseQuery(
  { gateway, experiments, clock }: ActivityDependencies,
  records: RecordStore,
): Activities['discloseQuery'] {
  return async ({ experimentId, arm, revision, query, interrupted = false }) => {
    const lock = await experiments.lock(experimentId);
    const taskIds = lock.identity.tasks.filter(({ split }) => split === 'selection').map(({ id }) => id);
    const { fold } = foldPass(lock, await records.all(experimentId), revision, taskIds, 0);
    const { reporting } = lock.identity;
    const number = visibleToUpdater(
      'selection-number',
      'selection',
      {
        aggregate: fold,
        stepPoints: reporting.disclosurePoints,
        floors: reporting.coverageFloor,
      },
      [],
    );
    const reference = referenceOf(lock, arm, revision);
    const why = interrupted
      ? 'the search ended before selection did'
      : `selection covers ${fold.scored} of ${fold.planned} tasks`;
    // What was disclosed first stands, also where an attempt got its score since.
    const disclosed =
      number.kind === 'visible' && fold.points !== null && !interrupted
        ? await gateway.discloseQuery({ ...reference, exact: fold.points, shown: number.value })
        : null;
    if (disclosed === null && (await gateway.releaseQuery(reference)).kind === 'disclosed') {
      return { kind: 'released', why };
    }
    const state = disclosed === null ? 'released' : 'disclosed';
    await records.append(lock, 'sealed', `query/${arm}/${revision.digest}/${state}`, {
      kind: 'query',
      ...recordStamp(lock, clock()),
      arm,
      candidate: revision.candidate,
      revision: revision.digest,
      query,
      state,
      exact: disclosed?.exact ?? null,
      disclosed: disclosed?.shown ?? null,
      scored: fold.scored,
      planned: fold.planned,
    });
    return disclosed === null
      ? { kind: 'released', why }
      : { kind: 'disclosed', points: disclosed.shown, exact: disclosed.exact };
  };
}

function referenceOf(lock: ExperimentLock, arm: ArmName, revision: Revision) {
  const tasks = lock.identity.tasks.filter(({ split }) => split === 'selection').map(({ id, digest }) => [id, digest]);
  const selectionDigest = createHash('sha256').update(canonicalJson(tasks)).digest('hex') as Sha256;
  return { experimentId: lock.id, arm, revisionDigest: revision.digest, selectionDigest };
}
