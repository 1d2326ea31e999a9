import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderPort, SimulatedContext, SimulatedModel } from '../../contract/provider-port.ts';
import type { ModelResponse, ProviderResult } from '../../schema/model-call.ts';

/**
 * The simulated model behind the provider port: answers at once, or has the fault that its profile holds for this request
 * attempt; a streamed reply comes in one piece per part.
 */
export function createSimulatedProvider(model: SimulatedModel, context: SimulatedContext): ProviderPort {
  return {
    call: async (request, { stream, signal, onDelta, attempt }): Promise<ProviderResult> => {
      if (signal.aborted) return aborted;
      try {
        const turn = model(request, context, attempt);
        switch (turn.kind) {
          case 'answered':
            if (stream) emit(turn.response, onDelta);
            return turn;
          case 'rate-limited':
            return rateLimited(turn.retryAfterMs);
          case 'stalled':
            await sleep(turn.stallMs, undefined, { signal }).catch(() => {});
            return signal.aborted ? aborted : timedOut;
        }
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        return { kind: 'unknown', fault: 'infrastructure', code: 'simulated_model_failed', retryable: false, detail };
      }
    },
  };
}

const lost = { kind: 'unknown', fault: 'infrastructure', detail: '' } as const;
const aborted: ProviderResult = { ...lost, code: 'aborted', retryable: false };
const timedOut: ProviderResult = { ...lost, code: 'timeout', retryable: true };

function rateLimited(retryAfterMs: number): ProviderResult {
  const detail = 'simulated 429';
  return { kind: 'rejected', fault: 'infrastructure', code: 'rate_limited', retryable: true, retryAfterMs, detail };
}

function emit(response: ModelResponse, onDelta: Parameters<ProviderPort['call']>[1]['onDelta']): void {
  for (const part of response.content) onDelta?.({ kind: 'text', text: part.text });
  for (const [index, call] of response.toolCalls.entries()) onDelta?.({ kind: 'tool-call', index, ...call });
}
