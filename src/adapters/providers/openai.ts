import OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import type { ProviderPort } from '../../contract/provider-port.ts';
import { chatCodec } from './chat-codec.ts';
import { createHttpProvider } from './http-provider.ts';
import type { ProviderOptions } from './http-provider.ts';
import { providerFetch } from './provider-fetch.ts';
import { responsesCodec } from './responses-codec.ts';

/** A server of one of OpenAI's wires, chat completions or Responses as the binding says, through OpenAI's SDK. */
export function createOpenAiProvider(options: ProviderOptions): ProviderPort {
  const { binding, key } = options;
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
  return createHttpProvider(options, binding.wire === 'responses' ? responsesCodec : chatCodec, {
    post: (path, body, stream, signal) => client.post(path, { body, stream, signal }).asResponse(),
    events: (response, controller) => Stream.fromSSEResponse<unknown>(response, controller),
  });
}
