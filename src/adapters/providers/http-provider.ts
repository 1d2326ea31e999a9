import type { ProviderCallOptions, ProviderPort } from '../../contract/provider-port.ts';
import type { ModelBinding } from '../../schema/model-binding.ts';
import type { ModelRequest, ProviderResult } from '../../schema/model-call.ts';
import { faultOf, lost } from './provider-fault.ts';
import { createSilenceTimer } from './silence-timer.ts';
import type { WireCodec } from './wire-codec.ts';
import { ToldFailure } from './wire-codec.ts';

/** One model at one endpoint, and the key that goes with it. */
export interface ProviderOptions {
  readonly binding: ModelBinding;
  /** null: no authorization header is sent. */
  readonly key: string | null;
  /** Cleans texts that came from outside before anyone stores or logs them. */
  readonly redact: (text: string) => string;
}

/** What of a provider's SDK is used: one POST without retries, and the reading of its events. */
export interface ProviderDoor {
  readonly post: (path: string, body: object, stream: boolean, signal: AbortSignal) => Promise<Response>;
  readonly events: (response: Response, controller: AbortController) => AsyncIterable<unknown>;
}

/**
 * A provider over HTTP. Sends once; a reply counts only after its schema accepted it, so that a page of HTML, an error
 * object or half a body with status 200 is a lost request, not an answer.
 */
export function createHttpProvider(
  { binding, redact }: ProviderOptions,
  codec: WireCodec,
  door: ProviderDoor,
): ProviderPort {
  const call = async (
    request: ModelRequest,
    { stream, signal, onDelta }: ProviderCallOptions,
  ): Promise<ProviderResult> => {
    const silence = createSilenceTimer(binding.timeoutMs, signal);
    try {
      const body = codec.request(request, binding, stream);
      const response = await door.post(codec.path, body, stream, silence.signal);
      // A server that does not stream, or a page in its place, comes whole.
      const streamed = stream && response.headers.get('content-type')?.includes('text/event-stream') === true;
      if (!streamed) return readReply(codec, await response.text(), request.model, redact);
      const reply = codec.openStream(request.model);
      for await (const event of door.events(response, silence.controller)) {
        silence.restart();
        for (const delta of reply.add(event)) onDelta?.(delta);
      }
      const answer = reply.response();
      if (signal.aborted || silence.expired()) return lost(silence.expired() ? 'timeout' : 'aborted', '');
      return answer === null
        ? lost('stream_cut', 'the stream ended before its finish reason')
        : { kind: 'answered', response: answer };
    } catch (error) {
      return faultOf(error, silence.expired() ? 'timeout' : signal.aborted ? 'aborted' : null, redact);
    } finally {
      silence.stop();
    }
  };
  return { call };
}

function readReply(
  codec: WireCodec,
  text: string,
  askedModel: string,
  redact: (text: string) => string,
): ProviderResult {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return lost('reply_not_json', redact(text.slice(0, 200)));
  }
  try {
    return { kind: 'answered', response: codec.reply(body, askedModel) };
  } catch (error) {
    if (error instanceof ToldFailure) throw error;
    const isError = typeof body === 'object' && body !== null && 'error' in body && body.error !== null;
    return lost(isError ? 'error_with_status_200' : 'reply_malformed', redact(text.slice(0, 200)));
  }
}
