import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wire } from '../../src/schema/model-call.ts';
import { binding, leaseRequest, registration, speaking, startGateway } from '../support/gateway-fixture.ts';
import type { GatewayFixture } from '../support/gateway-fixture.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';
import { SdkClients } from '../support/sdk-clients.ts';

const WIRES: readonly Wire[] = ['chat', 'responses', 'messages'];
const PAIRS = WIRES.flatMap((front) =>
  WIRES.flatMap((back) => [true, false].map((stream) => ({ front, back, how: stream ? 'stream' : 'whole', stream }))),
);

const parameters = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
const call = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls -l"}' } };

/** The same first request on each wire: a system prompt, a user's text in two parts, a tool. */
const OPENING: Readonly<Record<Wire, Record<string, unknown>>> = {
  chat: {
    model: 'any',
    messages: [
      { role: 'system', content: 'You are careful.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Sum the sheet ' },
          { type: 'text', text: 'of March.' },
        ],
      },
    ],
    tools: [{ type: 'function', function: { name: 'bash', description: 'run', parameters } }],
  },
  responses: {
    model: 'any',
    instructions: 'You are careful.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Sum the sheet ' },
          { type: 'input_text', text: 'of March.' },
        ],
      },
    ],
    tools: [{ type: 'function', name: 'bash', description: 'run', parameters, strict: false }],
  },
  messages: {
    model: 'any',
    max_tokens: 100,
    system: 'You are careful.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Sum the sheet ' },
          { type: 'text', text: 'of March.' },
        ],
      },
    ],
    tools: [{ name: 'bash', description: 'run', input_schema: parameters }],
  },
};

/** The request after the tool ran, with what the client heard before sent back as it came. */
function continued(wire: Wire, said: readonly unknown[]): Record<string, unknown> {
  const opening = OPENING[wire];
  const list = wire === 'responses' ? 'input' : 'messages';
  const result = {
    chat: { role: 'tool', tool_call_id: 'c1', content: 'march.xlsx' },
    responses: { type: 'function_call_output', call_id: 'c1', output: 'march.xlsx' },
    messages: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'march.xlsx' }] },
  }[wire];
  return { ...opening, [list]: [...(opening[list] as unknown[]), ...said, result] };
}

/** Texts and calls that a provider got, in order, whatever wire it speaks. */
function told(body: Record<string, unknown> | undefined): string {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
    else if (typeof value === 'string') texts.push(value);
  };
  const { system, instructions, messages, input } = body ?? {};
  walk([system, instructions, messages, input]);
  return texts.join(' ').replaceAll('{"command":"ls -l"}', 'ls -l');
}

let provider: ProviderServer;
let fixture: GatewayFixture;
let experiments = 0;

beforeAll(async () => {
  provider = await startProviderServer({ strict: true });
  fixture = await startGateway();
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});

async function open(back: Wire, changes: Parameters<typeof binding>[1] = {}): Promise<SdkClients> {
  experiments += 1;
  const experimentId = `exp_${experiments.toString(16).padStart(8, '0')}`;
  const model = binding(provider.baseUrl, { ...speaking(back), timeoutMs: 5000, ...changes });
  await fixture.control.registerExperiment(registration(model, { experimentId }));
  return new SdkClients(
    await fixture.control.openLease(leaseRequest(`${experiments.toString(16)}f`, { experimentId })),
  );
}

describe.each(PAIRS)('a $front client before a $back provider, $how', ({ front, back, stream }) => {
  it('sends text, system prompt and tools on, hears text and call, and continues after the result', async () => {
    const clients = await open(back);
    const { length } = provider.flaws;
    provider.script({ kind: 'answer', text: 'I look first.', toolCalls: [call] });
    const first = await clients.ask(front, 1, OPENING[front], stream);
    const billed = { ...provider.billed };
    expect(first).toMatchObject({
      text: 'I look first.',
      toolCalls: [{ id: 'c1', name: 'bash', input: { command: 'ls -l' } }],
      ended: 'tools',
    });
    const second = await clients.ask(front, 2, continued(front, first.said), stream);
    await clients.close();
    expect(second).toMatchObject({ text: 'All sheets are in order.', toolCalls: [], ended: 'stop' });
    expect(second.usage).toEqual({
      input: provider.billed.inputTokens - billed.inputTokens,
      output: provider.billed.outputTokens - billed.outputTokens,
      read: provider.billed.cacheReadTokens - billed.cacheReadTokens,
      written: provider.billed.cacheWriteTokens - billed.cacheWriteTokens,
    });
    expect(provider.flaws.slice(length)).toEqual([]);
    expect(told(provider.seen.at(-1)?.body)).toMatch(
      /You are careful\..*Sum the sheet.*of March\..*I look first\..*bash.*ls -l.*march\.xlsx/,
    );
    expect(JSON.stringify(provider.seen.at(-1)?.body['tools'])).toContain('"required":["command"]');
  });

  it('tells a refusal as one, and a reply cut at the cap as cut', async () => {
    const clients = await open(back);
    provider.script({ kind: 'refusal' }, { kind: 'answer', text: 'Half a', finishReason: 'length' });
    const refused = await clients.ask(front, 1, OPENING[front], stream);
    expect(refused).toMatchObject({ text: 'I will not.', ended: 'refusal', toolCalls: [] });
    const cut = await clients.ask(front, 2, OPENING[front], stream);
    expect(cut).toMatchObject({ text: 'Half a', ended: 'length' });
    await clients.close();
  });
});
