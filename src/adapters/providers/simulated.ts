import type { ProviderPort, SimulatedContext, SimulatedModel } from '../../contract/provider-port.ts';
import type { ModelResponse, ProviderResult } from '../../schema/model-call.ts';

/** The simulated model behind the provider port: answers at once; a streamed reply comes in one piece per part. */
export function createSimulatedProvider(model: SimulatedModel, context: SimulatedContext): ProviderPort {
  return {
    call: async (request, { stream, signal, onDelta }): Promise<ProviderResult> => {
      if (signal.aborted)
        return { kind: 'unknown', fault: 'infrastructure', code: 'aborted', retryable: false, detail: '' };
      try {
        const response = model(request, context);
        if (stream) emit(response, onDelta);
        return { kind: 'answered', response };
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        return { kind: 'unknown', fault: 'infrastructure', code: 'simulated_model_failed', retryable: false, detail };
      }
    },
  };
}

function emit(response: ModelResponse, onDelta: Parameters<ProviderPort['call']>[1]['onDelta']): void {
  for (const part of response.content) onDelta?.({ kind: 'text', text: part.text });
  for (const [index, call] of response.toolCalls.entries()) onDelta?.({ kind: 'tool-call', index, ...call });
}
