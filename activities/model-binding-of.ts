import type { ModelSettings } from '../src/schema/experiment-config.ts';
import type { ModelBinding } from '../src/schema/model-binding.ts';
import { WorldName } from '../src/schema/world.ts';

/** What the gateway needs of a model's settings; `policies` only reaches the simulated solver. */
export function modelBindingOf(settings: ModelSettings, policies: string | null): ModelBinding {
  if (settings.provider === 'simulated') {
    return {
      provider: 'simulated',
      wire: 'chat',
      baseUrl: null,
      model: `simulated/${settings.world}`,
      sampling: settings.sampling,
      keyVariable: null,
      timeoutMs: 60_000,
      servedModel: 'exact',
      world: WorldName.parse(settings.world),
      ...(policies === null ? {} : { policies }),
    };
  }
  return {
    provider: 'openai',
    wire: settings.wire,
    baseUrl: settings.baseUrl,
    model: settings.model,
    sampling: settings.sampling,
    keyVariable: settings.keyVariable,
    timeoutMs: settings.timeoutSeconds * 1000,
    servedModel: settings.servedModel,
  };
}
