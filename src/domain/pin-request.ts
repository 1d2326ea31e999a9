import type { ModelBinding } from '../schema/model-binding.ts';
import type { Message, ModelRequest, ToolDefinition } from '../schema/model-call.ts';

/** What of a client's request is let through; everything else comes from the experiment. */
export interface RequestDraft {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly responseFormat: ModelRequest['responseFormat'];
}

/** The request as the experiment pins it. Its members stand in one order: the digest of a request is over its JSON. */
export function pinRequest(
  draft: RequestDraft,
  { model, sampling }: Pick<ModelBinding, 'model' | 'sampling'>,
  seed: number,
): ModelRequest {
  const { messages, tools, responseFormat } = draft;
  return { model, messages: [...messages], tools: [...tools], sampling, seed, responseFormat };
}
