import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptRequest } from '../src/contract/activities.ts';
import { AnnealError } from '../src/domain/errors.ts';
import { attemptSeed } from '../src/domain/seed.ts';
import { RunEffect } from '../src/schema/attempt-effect.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { simulatedModelName } from '../src/schema/world.ts';
import type { Lease } from '../src/schema/lease.ts';
import { attemptEffects } from '../src/domain/effect-keys.ts';
import type { AttemptEpoch } from './attempt-epoch.ts';
import { attemptSandbox } from './attempt-sandbox.ts';
import { collectRun } from './collect-run.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { storeEffect } from './effect.ts';
import { frozenDigests } from './freeze-champions.ts';
import { frozenProgram } from './frozen-program.ts';
import { activitySignal, cancellationKind } from './heartbeat.ts';

/**
 * Run one revision on one task in its sandbox, or adopt the sandbox that already runs; classify before any judging.
 * @throws AnnealError ANL-6007 for a final of a revision that was not frozen; ANL-2004 while runner or environments are not the
 * frozen ones: nothing is started or paid then.
 */
export function runAttempt(dependencies: ActivityDependencies): (attempt: AttemptEpoch) => Promise<RunEffect> {
  const { gateway, experiments, clock } = dependencies;
  return async (attempt) => {
    const startedAt = clock();
    const { key, epoch } = attempt;
    const lock = await experiments.lock(attempt.experimentId);
    await refuseUnfrozen(dependencies, attempt);
    frozenProgram(dependencies, lock, 'runner');
    frozenProgram(dependencies, lock, 'environments');
    const { calls, tokens } = lock.identity.budgets.attempt;
    const lease = await gateway.openLease({
      experimentId: attempt.experimentId,
      arm: attempt.arm,
      role: 'solver',
      attemptKey: key,
      epoch,
      limits: { calls, tokens },
      share: attempt.phase === 'final' ? 'final' : 'search',
      seed: attemptSeed(lock.identity.seed, attempt.taskId, attempt.replicate),
    });
    const stateDirectory = experiments.stateDirectory(key, epoch);
    const openMs = clock() - startedAt;
    const observed = await supervise(dependencies, lock, attempt, lease, stateDirectory);
    const effect = await collectRun(dependencies, { key, epoch, lease, stateDirectory, observed, openMs });
    return storeEffect(gateway, attemptEffects.run(key, epoch), RunEffect, effect);
  };
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
  request: AttemptEpoch,
  lease: Lease,
  stateDirectory: string,
): Promise<Awaited<ReturnType<ActivityDependencies['sandbox']['observe']>>> {
  const { sandbox, experiments, repository, jails } = dependencies;
  const { solver } = lock.identity.models;
  const started = await sandbox.start(
    stateDirectory,
    await attemptSandbox({
      attempt: request,
      key: request.key.slice(0, 20),
      epoch: lease.epoch,
      lease,
      task: await experiments.task(request.experimentId, request.taskId),
      files: await repository.files(request.revision.commit),
      model: solver.provider === 'simulated' ? simulatedModelName(solver.world, solver.faults) : solver.model,
      wire: solver.clientWire ?? (solver.provider === 'simulated' ? 'chat' : solver.wire),
      jails,
      level: lock.operational.sandbox.level,
      stateDirectory,
      replayLogs: earlierLogs(dependencies, request.key, lease.epoch),
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
