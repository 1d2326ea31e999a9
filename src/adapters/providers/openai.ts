import OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import type { ProviderCallOptions, ProviderPort } from '../../contract/provider-port.ts';
import type { ModelBinding } from '../../schema/model-binding.ts';
import type { ModelRequest, ProviderResult } from '../../schema/model-call.ts';
import { ChatReply, responseOf } from './chat-reply.ts';
import { chatRequest } from './chat-request.ts';
import { createChatStream } from './chat-stream.ts';
import { faultOf, lost } from './openai-fault.ts';
import { providerFetch } from './provider-fetch.ts';
import { createSilenceTimer } from './silence-timer.ts';

export interface OpenAiProviderOptions {
  readonly binding: ModelBinding;
  /** null: no authorization header is sent. */
  readonly key: string | null;
  /** Cleans texts that came from outside before anyone stores or logs them. */
  readonly redact: (text: string) => string;
}

/**
 * A server of the OpenAI chat completions wire. Sends once (SDK retries off); a reply counts only after its schema
 * accepted it, so that a page of HTML, an error object or half a body with status 200 is a lost request, not an answer.
 */
export function createOpenAiProvider(options: OpenAiProviderOptions): ProviderPort {
  const { binding, key, redact } = options;
  const client = new OpenAI({
    apiKey: key ?? 'none',
    baseURL: binding.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: binding.timeoutMs + 60_000,
    logLevel: 'off',
    ...(key === null ? { defaultHeaders: { Authorization: null } } : {}),
    fetch: providerFetch,
  });

  const call = async (
    request: ModelRequest,
    { stream, signal, onDelta }: ProviderCallOptions,
  ): Promise<ProviderResult> => {
    const silence = createSilenceTimer(binding.timeoutMs, signal);
    try {
      const body = chatRequest(request, binding, stream);
      const response = await client.post('/chat/completions', { body, stream, signal: silence.signal }).asResponse();
      // A server that does not stream, or a page in its place, comes whole.
      const streamed = stream && response.headers.get('content-type')?.includes('text/event-stream') === true;
      if (!streamed) return readReply(await response.text(), request.model, redact);
      const chat = createChatStream(request.model);
      for await (const chunk of Stream.fromSSEResponse<unknown>(response, silence.controller)) {
        silence.restart();
        for (const delta of chat.add(chunk)) onDelta?.(delta);
      }
      const answer = chat.response();
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

function readReply(text: string, askedModel: string, redact: (text: string) => string): ProviderResult {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return lost('reply_not_json', redact(text.slice(0, 200)));
  }
  const reply = ChatReply.safeParse(body);
  if (reply.success) return { kind: 'answered', response: responseOf(reply.data, askedModel) };
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  return lost(isError ? 'error_with_status_200' : 'reply_malformed', redact(text.slice(0, 200)));
}
