import type { ModelBinding } from '../schema/model-binding.ts';

/** Whether a reply by `served` may stand for the pinned model. */
export function mayServe(binding: ModelBinding, served: string): boolean {
  switch (binding.servedModel) {
    case 'exact':
      return served === binding.model;
    case 'prefix':
      return served.startsWith(binding.model);
    case 'record':
      return true;
  }
}
