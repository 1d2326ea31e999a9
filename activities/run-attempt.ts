import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AttemptRequest } from '../src/contract/activities.ts';
import { AnnealError } from '../src/domain/errors.ts';
import { attemptSeed } from '../src/domain/seed.ts';
import { RunEffect } from '../src/schema/attempt-effect.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { Lease } from '../src/schema/lease.ts';
import type { AttemptKey } from '../src/schema/ids.ts';
import { Outcome, type RunClass } from '../src/schema/outcome.ts';
import { attemptEffects } from './attempt-effects.ts';
import { attemptKey } from './attempt-key.ts';
import { attemptSandbox } from './attempt-sandbox.ts';
import { collectRun } from './collect-run.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { findEffect, storeEffect } from './effect.ts';
import { frozenDigests } from './freeze-champions.ts';
import { activitySignal, cancellationKind } from './heartbeat.ts';

const CanonicalEffect = z.object({ outcome: Outcome });

/** `reused`: a canonical outcome of this key stands already, nothing ran. */
export type AttemptRun =
  | { readonly kind: 'reused'; readonly key: AttemptKey; readonly outcome: Outcome['kind'] }
  | { readonly kind: 'ran'; readonly key: AttemptKey; readonly epoch: number; readonly runClass: RunClass['kind'] };

/** Run one revision on one task in its sandbox, or adopt the sandbox that already runs; classify before any judging. */
export function runAttempt(dependencies: ActivityDependencies): (request: AttemptRequest) => Promise<AttemptRun> {
  const { gateway, experiments, clock } = dependencies;
  return async (request) => {
    const startedAt = clock();
    const lock = await experiments.lock(request.experimentId);
    const task = await experiments.task(request.experimentId, request.taskId);
    const key = attemptKey(lock, request.revision.digest, task.locked, request.replicate);
    const canonical = await findEffect(gateway, attemptEffects.canonical(key), CanonicalEffect);
    if (canonical !== null) return { kind: 'reused', key, outcome: canonical.outcome.kind };
    const epoch = await openEpoch(dependencies, key);
    const done = await findEffect(gateway, attemptEffects.run(key, epoch), RunEffect);
    if (done !== null) return { kind: 'ran', key, epoch, runClass: done.runClass.kind };
    await refuseUnfrozen(dependencies, request);
    const { attempt } = lock.identity.budgets;
    const lease = await gateway.openLease({
      experimentId: request.experimentId,
      arm: request.arm,
      role: 'solver',
      attemptKey: key,
      epoch,
      limits: { calls: attempt.calls, tokens: attempt.tokens },
      seed: attemptSeed(lock.identity.seed, request.taskId, request.replicate),
    });
    const stateDirectory = experiments.stateDirectory(key, epoch);
    const startedMs = clock() - startedAt;
    const observed = await supervise(dependencies, lock, request, key, lease, stateDirectory);
    const effect = await collectRun(dependencies, { key, epoch, lease, stateDirectory, observed, openMs: startedMs });
    const stored = await storeEffect(gateway, attemptEffects.run(key, epoch), RunEffect, effect);
    return { kind: 'ran', key, epoch, runClass: stored.runClass.kind };
  };
}

/** The epoch that is not recorded yet. */
async function openEpoch({ gateway }: ActivityDependencies, key: string): Promise<number> {
  let epoch = 1;
  while ((await gateway.getEffect({ key: attemptEffects.recorded(key, epoch) })).kind === 'found') epoch++;
  return epoch;
}

async function refuseUnfrozen({ gateway }: ActivityDependencies, request: AttemptRequest): Promise<void> {
  if (request.phase !== 'final') return;
  const frozen = await frozenDigests(gateway, request.experimentId);
  if (frozen?.includes(request.revision.digest) === true) return;
  throw new AnnealError(
    'ANL-6007',
    { revision: request.revision.digest.slice(0, 12), experiment: request.experimentId },
    { why: `frozen: ${frozen?.map((digest) => digest.slice(0, 12)).join(', ') ?? 'nothing'}` },
  );
}

async function supervise(
  dependencies: ActivityDependencies,
  lock: ExperimentLock,
  request: AttemptRequest,
  key: string,
  lease: Lease,
  stateDirectory: string,
): Promise<Awaited<ReturnType<ActivityDependencies['sandbox']['observe']>>> {
  const { sandbox, experiments, repository, jails } = dependencies;
  const { solver } = lock.identity.models;
  const started = await sandbox.start(
    stateDirectory,
    await attemptSandbox({
      attempt: request,
      key: key.slice(0, 20),
      epoch: lease.epoch,
      lease,
      task: await experiments.task(request.experimentId, request.taskId),
      files: await repository.files(request.revision.commit),
      model: solver.provider === 'simulated' ? `simulated/${solver.world}` : solver.model,
      jails,
      level: lock.operational.sandbox.level,
      stateDirectory,
      replayLogs: earlierLogs(dependencies, key, lease.epoch),
    }),
  );
  if (started.kind === 'lost') return started;
  try {
    return await sandbox.observe(stateDirectory, activitySignal());
  } catch (error) {
    if (cancellationKind() === 'workflow') {
      await sandbox.stop(stateDirectory);
      await dependencies.gateway.closeLease({ attemptKey: lease.attemptKey, epoch: lease.epoch, lease: lease.lease });
    }
    throw error;
  }
}

function earlierLogs({ experiments }: ActivityDependencies, key: string, epoch: number): string[] {
  return Array.from({ length: epoch - 1 }, (_, index) =>
    join(experiments.stateDirectory(key, index + 1), 'commands.jsonl'),
  ).filter((path) => existsSync(path));
}
