import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wire } from '../../src/schema/model-call.ts';
import {
  FRONT_PATHS,
  FrontClient,
  binding,
  leaseRequest,
  registration,
  speaking,
  startGateway,
} from '../support/gateway-fixture.ts';
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';

const WIRES: readonly Wire[] = ['chat', 'responses', 'messages'];
const sampling = { temperature: 0.2, topP: 0.9, reasoningEffort: 'low', maxOutputTokens: 700 } as const;
let provider: ProviderServer;
let fixture: GatewayFixture;
let leases = 0;

beforeAll(async () => {
  provider = await startProviderServer({ strict: true });
  fixture = await startGateway();
  for (const [index, wire] of WIRES.entries()) {
    const model = binding(provider.baseUrl, { ...speaking(wire), timeoutMs: 5000, sampling });
    await fixture.control.registerExperiment(registration(model, { experimentId: experimentOf(index) }));
  }
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});

function experimentOf(index: number): string {
  return `exp_0000000${index}`;
}

/** A lease of the experiment whose provider speaks `back`. */
function lease(back: Wire) {
  leases += 1;
  const experimentId = experimentOf(WIRES.indexOf(back));
  return fixture.control.openLease(leaseRequest(`${leases.toString(16)}d`, { experimentId }));
}

async function sent(wire: Wire, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const over = new FrontClient(await lease(wire));
  const reply = await over.post(1, body, {}, FRONT_PATHS[wire]);
  await over.close();
  expect(reply.status).toBe(200);
  return provider.seen.at(-1)?.body ?? {};
}

const parameters = { type: 'object', properties: { command: { type: 'string' } } };

it('of a Responses body only instructions, texts, calls, outputs and function tools go out, with the pinned model and sampling', async () => {
  const body = await sent('responses', {
    model: 'another-model',
    instructions: 'be brief',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'one ' }, { type: 'input_image', image_url: 'http://evil/x.png' }, 'two'],
      },
      { type: 'item_reference', id: 'msg_1' },
      { type: 'reasoning', id: 'rs_0', summary: [] },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
        id: 'msg_2',
        status: 'completed',
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'c1',
        name: 'bash',
        arguments: '{"command":"ls"}',
        status: 'completed',
      },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'a.xlsx' },
          { type: 'input_file', file_id: 'f1' },
        ],
      },
      { role: 'developer', content: 'go on' },
    ],
    tools: [
      { type: 'function', name: 'bash', description: 'run', parameters, strict: true },
      { type: 'web_search' },
      { type: 'mcp', server_url: 'http://evil' },
    ],
    previous_response_id: 'resp_1',
    conversation: 'conv_1',
    store: true,
    background: true,
    temperature: 2,
    max_output_tokens: 100_000,
    reasoning: { effort: 'high' },
    include: ['web_search_call.results'],
    metadata: { task: 'office-mini/x1' },
    service_tier: 'priority',
    tool_choice: 'required',
    truncation: 'auto',
    text: { format: { type: 'json_object' } },
  });
  expect(body).toEqual({
    model: 'office-1',
    instructions: 'be brief',
    input: [
      { role: 'user', content: 'one two' },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{"command":"ls"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'a.xlsx' },
      { role: 'system', content: 'go on' },
    ],
    tools: [{ type: 'function', name: 'bash', description: 'run', parameters, strict: false }],
    max_output_tokens: 700,
    store: false,
    temperature: 0.2,
    top_p: 0.9,
    reasoning: { effort: 'low' },
    include: ['reasoning.encrypted_content'],
    text: { format: { type: 'json_object' } },
  });
});

it('of a messages body only texts, calls, results, own tools and cache marks go out, with the pinned model and sampling', async () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const body = await sent('messages', {
    model: 'another-model',
    max_tokens: 100_000,
    system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one ' },
          { type: 'image', source: { type: 'url', url: 'http://evil' } },
          { type: 'text', text: 'two', ...mark },
          { type: 'text', text: '' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
          { type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'ls' }, caller: { type: 'direct' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [
              { type: 'text', text: 'a.xlsx' },
              { type: 'image', source: {} },
            ],
            is_error: false,
            ...mark,
          },
          { type: 'text', text: 'go on' },
        ],
      },
    ],
    tools: [
      { name: 'bash', description: 'run', input_schema: parameters, ...mark, strict: true },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'bash_20250124', name: 'bash' },
    ],
    temperature: 1,
    top_k: 5,
    stop_sequences: ['x'],
    thinking: { type: 'enabled', budget_tokens: 9000 },
    mcp_servers: [{ url: 'http://evil' }],
    container: 'c',
    metadata: { user_id: 'someone' },
    service_tier: 'auto',
    tool_choice: { type: 'any' },
  });
  expect(body).toEqual({
    model: 'office-1',
    max_tokens: 700,
    system: [{ type: 'text', text: 'be brief', ...mark }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one ' },
          { type: 'text', text: 'two', ...mark },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'ls' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'a.xlsx', ...mark },
          { type: 'text', text: 'go on' },
        ],
      },
    ],
    tools: [{ name: 'bash', description: 'run', input_schema: parameters, ...mark }],
    temperature: 0.2,
    top_p: 0.9,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low' },
  });
});

it.each<[string, Wire, unknown]>([
  ['no input', 'responses', { model: 'm' }],
  ['an empty list as input', 'responses', { input: [] }],
  ['an unknown role', 'responses', { input: [{ role: 'root', content: 'x' }] }],
  ['an output without its call', 'responses', { input: [{ type: 'function_call_output', output: 'x' }] }],
  ['an item of no type', 'responses', { input: [{ text: 'x' }] }],
  ['no messages', 'messages', { max_tokens: 5 }],
  ['an empty list of messages', 'messages', { max_tokens: 5, messages: [] }],
  ['an unknown role', 'messages', { messages: [{ role: 'tool', content: 'x' }] }],
  [
    'a result without its call',
    'messages',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'x' }] }] },
  ],
  ['content that is a number', 'messages', { messages: [{ role: 'user', content: 5 }] }],
  ['no JSON', 'messages', '{"messages": ['],
])('a body with %s on %s is an invalid request of the client and spends nothing', async (_, wire, body) => {
  const before = provider.seen.length;
  const over = new FrontClient(await lease(wire));
  const reply = await over.post(1, body, {}, FRONT_PATHS[wire]);
  await over.close();
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ error: { type: 'invalid_request', code: 'invalid_request' } });
  expect(provider.seen).toHaveLength(before);
});
