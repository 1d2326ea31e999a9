import { expect, it } from 'vitest';
import { createProviderSource } from '../../../src/adapters/providers/provider-source.ts';
import { createRedactor } from '../../../src/adapters/redactor.ts';
import type { SimulatedContext } from '../../../src/contract/provider-port.ts';
import type { FaultProfile } from '../../../src/schema/fault-profile.ts';
import type { ModelRequest } from '../../../src/schema/model-call.ts';
import { ModelBinding } from '../../../src/schema/model-binding.ts';
import type { PolicyBook } from '../../../src/schema/policy-book.ts';
import type { World } from '../../../src/schema/world.ts';
import { binding } from '../../support/gateway-fixture.ts';

const WORLD = { name: 'null' } as World;
const BOOK: PolicyBook = { version: 1, policies: [] };
const request: ModelRequest = {
  model: 'm',
  messages: [],
  tools: [],
  sampling: { maxOutputTokens: 5 },
  seed: 1,
  responseFormat: 'text',
};
const simulated = ModelBinding.parse({
  ...binding('http://127.0.0.1:1/v1'),
  provider: 'simulated',
  baseUrl: null,
  world: 'null',
  policies: '/sealed/policies.json',
});
const options = { stream: false, signal: new AbortController().signal, attempt: 0 };

function source(environment: Record<string, string> = {}) {
  const seen: SimulatedContext[] = [];
  const loaded: string[] = [];
  const redactor = createRedactor();
  const providers = createProviderSource({
    environment,
    redactor,
    simulatedModel: (_request, context) => {
      seen.push(context);
      if (context.role === 'judge') throw new Error('no pictures');
      return {
        kind: 'answered',
        response: {
          id: 's',
          servedModel: 'simulated/null',
          content: [{ type: 'text', text: 'ok' }],
          toolCalls: [{ id: 'c', name: 'bash', arguments: '{}' }],
          finishReason: 'tool_calls',
          usage: null,
        },
      };
    },
    loadWorld: (name) => {
      loaded.push(name);
      return WORLD;
    },
    loadFaults: (name) => {
      loaded.push(name);
      return { name } as FaultProfile;
    },
    loadPolicies: (path) => {
      loaded.push(path);
      return BOOK;
    },
  });
  return { providers, seen, loaded, redactor };
}

it('the sealed policies are read for the solver alone', async () => {
  const { providers, seen, loaded } = source();
  for (const role of ['solver', 'updater'] as const) await providers(simulated, role).call(request, options);
  expect(seen).toEqual([
    { role: 'solver', world: WORLD, policies: BOOK, faults: null },
    { role: 'updater', world: WORLD, policies: null, faults: null },
  ]);
  expect(loaded).toEqual(['/sealed/policies.json', 'null', 'null']);
});

it('a simulated model streams its parts and its tool calls', async () => {
  const deltas: unknown[] = [];
  const result = await source()
    .providers(simulated, 'solver')
    .call(request, { ...options, stream: true, onDelta: (delta) => deltas.push(delta) });
  expect(deltas).toEqual([
    { kind: 'text', text: 'ok' },
    { kind: 'tool-call', index: 0, id: 'c', name: 'bash', arguments: '{}' },
  ]);
  expect(result.kind).toBe('answered');
});

it('a simulated model that throws is an infrastructure fault, not tried again', async () => {
  expect(await source().providers(simulated, 'judge').call(request, options)).toMatchObject({
    kind: 'unknown',
    code: 'simulated_model_failed',
    retryable: false,
  });
});

it('equal bindings share a provider; another role or address gets its own', () => {
  const { providers } = source();
  const here = binding('http://127.0.0.1:1/v1');
  expect(providers(here, 'solver')).toBe(providers({ ...here }, 'solver'));
  expect(providers(here, 'solver')).not.toBe(providers(here, 'updater'));
  expect(providers(here, 'solver')).not.toBe(providers(binding('http://127.0.0.1:2/v1'), 'solver'));
});

it('a key is looked up by name, and redacted from then on', () => {
  const { providers, redactor } = source({ OFFICE_KEY: 'sk-0123456789' });
  providers(binding('http://127.0.0.1:1/v1', { keyVariable: 'OFFICE_KEY' }), 'solver');
  expect(redactor.redact('sk-0123456789')).toBe('[redacted]');
  expect(() => providers(binding('http://127.0.0.1:1/v1', { keyVariable: 'OTHER_KEY' }), 'solver')).toThrow(
    expect.objectContaining({ code: 'ANL-5005' }),
  );
});
