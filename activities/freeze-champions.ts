import { z } from 'zod';
import type { Activities } from '../src/contract/activities.ts';
import type { ExperimentId } from '../src/schema/ids.ts';
import { frozenEffect } from '../src/domain/effect-keys.ts';
import type { GatewayPort } from '../src/contract/gateway-port.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { findEffect, storeEffect } from './effect.ts';
import type { RecordStore } from './record-store.ts';

const Frozen = z.object({ digests: z.array(z.string()) });

/** Tag every champion and write the set of frozen digests, once; H0 is always in it. */
export function freezeChampions(
  { gateway, repository, experiments, clock }: ActivityDependencies,
  records: RecordStore,
): Activities['freezeChampions'] {
  return async ({ experimentId, champions }) => {
    const lock = await experiments.lock(experimentId);
    const digests = [lock.identity.harness as string, ...champions.map(({ revision }) => revision.digest as string)];
    await storeEffect(gateway, frozenEffect(experimentId), Frozen, { digests });
    for (const { arm, label, revision } of champions) {
      const tag = `anneal/${experimentId}/${arm}/${label}`;
      await repository.publish(`refs/tags/${tag}`, revision.commit);
      await records.append(lock, 'open', `champion/${arm}/${label}`, {
        kind: 'champion',
        ...recordStamp(lock, clock()),
        arm,
        label,
        candidate: revision.candidate,
        commit: revision.commit,
        revision: revision.digest,
        tag,
      });
    }
  };
}

/** Digests that final attempts may be made from; null before the freeze. */
export async function frozenDigests(
  gateway: GatewayPort,
  experimentId: ExperimentId,
): Promise<readonly string[] | null> {
  return (await findEffect(gateway, frozenEffect(experimentId), Frozen))?.digests ?? null;
}
