import Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import type { ProviderPort } from '../../contract/provider-port.ts';
import { createHttpProvider } from './http-provider.ts';
import type { ProviderOptions } from './http-provider.ts';
import { messagesCodec } from './messages-codec.ts';
import { providerFetch } from './provider-fetch.ts';

/** A server of the Anthropic messages wire, through Anthropic's SDK. */
export function createAnthropicProvider(options: ProviderOptions): ProviderPort {
  const { binding, key } = options;
  const client = new Anthropic({
    apiKey: key ?? 'none',
    // The SDK's own root has no `/v1`; the other wires' roots have one.
    baseURL: (binding.baseUrl ?? '').replace(/\/+$/, '').replace(/\/v1$/, ''),
    maxRetries: 0,
    timeout: binding.timeoutMs + 60_000,
    logLevel: 'off',
    ...(key === null ? { defaultHeaders: { Authorization: null } } : {}),
    fetch: providerFetch,
  });
  return createHttpProvider(options, messagesCodec, {
    post: (path, body, stream, signal) => client.post(path, { body, stream, signal }).asResponse(),
    events: readEvents,
  });
}

/** Every event, pings too: they tell that the provider is still at work. */
async function* readEvents(response: Response, controller: AbortController): AsyncIterable<unknown> {
  for await (const { data } of Stream.rawEvents(response, controller)) if (data !== '') yield JSON.parse(data);
}
