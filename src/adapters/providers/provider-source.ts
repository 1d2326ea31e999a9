import type { ProviderPort, ProviderSource, SimulatedModel } from '../../contract/provider-port.ts';
import type { FaultProfile, FaultProfileName } from '../../schema/fault-profile.ts';
import type { Role } from '../../schema/lease.ts';
import type { ModelBinding } from '../../schema/model-binding.ts';
import type { PolicyBook } from '../../schema/policy-book.ts';
import type { World, WorldName } from '../../schema/world.ts';
import { AnnealError } from '../../domain/errors.ts';
import type { Redactor } from '../redactor.ts';
import { createAnthropicProvider } from './anthropic.ts';
import { createOpenAiProvider } from './openai.ts';
import { createSimulatedProvider } from './simulated.ts';

/** Where models get what does not stand in their binding: keys, worlds, fault profiles, policies. */
export interface ProviderSourceOptions {
  /** Where keys are looked up by name; never stored elsewhere. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly redactor: Redactor;
  readonly simulatedModel: SimulatedModel;
  readonly loadWorld: (name: WorldName) => World;
  readonly loadFaults: (name: FaultProfileName) => FaultProfile;
  readonly loadPolicies: (path: string) => PolicyBook;
}

/** Providers by role and binding, made once each. A key variable that is not set: ANL-5005. */
export function createProviderSource(options: ProviderSourceOptions): ProviderSource {
  const made = new Map<string, ProviderPort>();
  const seen = new WeakMap<ModelBinding, Map<Role, ProviderPort>>();
  return (binding, role) => {
    const byRole = seen.get(binding) ?? new Map<Role, ProviderPort>();
    seen.set(binding, byRole);
    const known = byRole.get(role);
    if (known !== undefined) return known;
    const identity = JSON.stringify([role, binding]);
    const provider = made.get(identity) ?? makeProvider(options, binding, role);
    byRole.set(role, provider);
    made.set(identity, provider);
    return provider;
  };
}

function makeProvider(options: ProviderSourceOptions, binding: ModelBinding, role: Role): ProviderPort {
  switch (binding.provider) {
    case 'openai':
      return createOpenAiProvider({ binding, key: keyOf(options, binding, role), redact: options.redactor.redact });
    case 'anthropic':
      return createAnthropicProvider({ binding, key: keyOf(options, binding, role), redact: options.redactor.redact });
    case 'simulated': {
      const policies =
        role === 'solver' && binding.policies !== undefined ? options.loadPolicies(binding.policies) : null;
      return createSimulatedProvider(options.simulatedModel, {
        role,
        world: options.loadWorld(binding.world ?? 'null'),
        policies,
        faults: binding.faults === undefined ? null : options.loadFaults(binding.faults),
      });
    }
  }
}

function keyOf(
  { environment, redactor }: ProviderSourceOptions,
  { keyVariable }: ModelBinding,
  role: Role,
): string | null {
  if (keyVariable === null) return null;
  const key = environment[keyVariable];
  if (key === undefined || key === '') throw new AnnealError('ANL-5005', { variable: keyVariable, role });
  redactor.add(key);
  return key;
}
