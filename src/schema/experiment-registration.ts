import { microUsdCap } from './budgets.ts';
import type { ModelSettings } from './experiment-config.ts';
import type { ExperimentLock } from './experiment-lock.ts';
import { FaultProfileName } from './fault-profile.ts';
import type { ExperimentRegistration } from './gateway.ts';
import type { ModelBinding } from './model-binding.ts';
import { WorldName, simulatedModelName } from './world.ts';

/** What the gateway has to know of an experiment: its models and limits. The same lock gives the same registration. */
export function experimentRegistration({ id, digest, identity, operational }: ExperimentLock): ExperimentRegistration {
  const { experiment } = identity.budgets;
  return {
    experimentId: id,
    configDigest: digest,
    models: {
      solver: modelBinding(identity.models.solver, operational.policies),
      updater: modelBinding(identity.models.updater, null),
      ...(identity.models.judge === null ? {} : { judge: modelBinding(identity.models.judge, null) }),
    },
    budgets: { solver: null, updater: identity.budgets.arm.updaterTokens, judge: null },
    queries: identity.budgets.arm.selectionQueries,
    caps: { solverTokens: experiment?.solverTokens ?? null, microUsd: microUsdCap(identity.budgets) },
    prices: operational.prices ?? {},
  };
}

/** A model's settings as the gateway takes them; `policies` only reaches the simulated solver. */
export function modelBinding(settings: ModelSettings, policies: string | null): ModelBinding {
  if (settings.provider === 'simulated') {
    return {
      provider: 'simulated',
      wire: 'chat',
      baseUrl: null,
      model: simulatedModelName(settings.world, settings.faults),
      sampling: settings.sampling,
      keyVariable: null,
      timeoutMs: 60_000,
      servedModel: 'exact',
      world: WorldName.parse(settings.world),
      ...(settings.faults === undefined ? {} : { faults: FaultProfileName.parse(settings.faults) }),
      ...(policies === null ? {} : { policies }),
    };
  }
  return {
    provider: settings.provider,
    wire: settings.wire,
    baseUrl: settings.baseUrl,
    model: settings.model,
    sampling: settings.sampling,
    keyVariable: settings.keyVariable,
    timeoutMs: settings.timeoutSeconds * 1000,
    stream: settings.stream,
    servedModel: settings.servedModel,
  };
}
