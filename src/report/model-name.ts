import type { ModelSettings } from '../schema/experiment-config.ts';

/** A model as screens name it, and a key that equals only for the same name at the same endpoint. */
export function modelName(settings: ModelSettings): { readonly model: string; readonly key: string } {
  if (settings.provider === 'simulated') {
    const model = `simulated/${settings.world}`;
    return { model, key: model };
  }
  return { model: settings.model, key: `${settings.model} at ${settings.baseUrl}` };
}
