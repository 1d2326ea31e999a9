import { afterEach, describe, expect, test } from 'vitest';
import { renderChatRefusal, renderChatReply } from '../../src/gateway/chat-completions/render-chat-reply.ts';
import { parseChatRequest } from '../../src/gateway/chat-completions/parse-chat-request.ts';
import { parseMessagesRequest } from '../../src/gateway/messages/parse-messages-request.ts';
import { renderMessage, renderMessageRefusal } from '../../src/gateway/messages/render-message.ts';
import { parseResponsesRequest } from '../../src/gateway/responses/parse-responses-request.ts';
import { renderResponse, renderResponseRefusal } from '../../src/gateway/responses/render-response.ts';
import type { ModelResponse, Wire } from '../../src/schema/model-call.ts';
import { FRONT_PATHS } from '../support/gateway-fixture.ts';
import { chatServerWire } from '../support/provider-wires/chat-server-wire.ts';
import { messagesServerWire } from '../support/provider-wires/messages-server-wire.ts';
import { responsesServerWire } from '../support/provider-wires/responses-server-wire.ts';
import { sealOf } from '../support/provider-wires/server-wire.ts';
import { type ModelAnswer, RunnerFixture, type SentCall, observation } from '../support/runner-fixture.ts';

const WIRES = [
  {
    wire: 'chat' as Wire,
    server: chatServerWire,
    render: renderChatReply,
    refuse: renderChatRefusal,
    parse: parseChatRequest,
  },
  {
    wire: 'responses' as Wire,
    server: responsesServerWire,
    render: renderResponse,
    refuse: renderResponseRefusal,
    parse: parseResponsesRequest,
  },
  {
    wire: 'messages' as Wire,
    server: messagesServerWire,
    render: renderMessage,
    refuse: renderMessageRefusal,
    parse: parseMessagesRequest,
  },
];

const fixtures: RunnerFixture[] = [];

afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.remove();
});

let made = 0;
function response(changes: Partial<ModelResponse>): ModelResponse {
  const finishReason = (changes.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
  return {
    id: 'r',
    servedModel: 'm',
    content: [{ type: 'text', text: 'I act.' }],
    toolCalls: [],
    finishReason,
    usage: null,
    ...changes,
  };
}

function calling(name: string, written: string, changes: Partial<ModelResponse> = {}): ModelResponse {
  made += 1;
  return response({ toolCalls: [{ id: `c${made}`, name, arguments: written }], ...changes });
}

const running = (command: string, changes: Partial<ModelResponse> = {}): ModelResponse =>
  calling('bash', JSON.stringify({ command }), changes);
const submitting = (): ModelResponse => running('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT');

describe.each(WIRES)('the runner on the $wire wire', ({ wire, server, render, refuse, parse }) => {
  function fixtureOf(answers: readonly (ModelResponse | ModelAnswer)[]): RunnerFixture {
    const fixture = new RunnerFixture();
    fixture.wire = wire;
    fixture.answers = answers.map((answer): ModelAnswer =>
      answer !== 'hang-up' && 'servedModel' in answer
        ? { status: 200, body: render(answer, { id: 'call', model: 'm' }) }
        : answer,
    );
    fixture.exec = (command) =>
      observation(command.includes('COMPLETE_TASK') ? 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n' : `ran: ${command}\n`);
    fixtures.push(fixture);
    return fixture;
  }

  const flaws = (calls: readonly SentCall[]): (string | null)[] =>
    calls.map(({ body }) => server.flawOf(body as unknown as Record<string, unknown>));
  const drafted = (sent: SentCall | undefined) => {
    const parsed = parse(sent?.body);
    if (parsed.kind === 'invalid') throw new Error(parsed.message);
    return parsed.draft;
  };

  test('runs commands until the model submits, in requests that the real API would take', async () => {
    const fixture = fixtureOf([running('ls'), running('cat in.txt'), submitting()]);
    const { outcome } = await fixture.run();
    expect(outcome).toMatchObject({ exit_status: 'Submitted', calls: 3 });
    expect(fixture.commands.map(({ command }) => command).slice(0, 2)).toEqual(['ls', 'cat in.txt']);
    expect(fixture.calls.map(({ path, call }) => [path, call])).toEqual(
      [1, 2, 3].map((call) => [FRONT_PATHS[wire], call]),
    );
    expect(flaws(fixture.calls)).toEqual([null, null, null]);
  });

  test('says the same on every wire: system prompt, task, call and observation', async () => {
    const fixture = fixtureOf([running('ls'), submitting()]);
    await fixture.run('Write out.txt.');
    const { messages, tools } = drafted(fixture.calls[1]);
    const texts = messages.map(({ content }) => content.map((part) => part.text).join(''));
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(texts[1]).toContain('Write out.txt.');
    expect(texts[2]).toBe('I act.');
    expect(texts[3]).toContain('ran: ls');
    expect(messages[2]).toMatchObject({
      toolCalls: [{ name: 'bash', arguments: expect.stringMatching(/"command": ?"ls"/) }],
    });
    expect(tools).toMatchObject([{ name: 'bash', parameters: { required: ['command'] } }]);
  });

  test.each<[string, () => ModelResponse, string]>([
    ['arguments that are no JSON', () => calling('bash', '{"command": '), 'could not be used'],
    ['arguments without a command', () => calling('bash', '{"cmd": "ls"}'), 'could not be used'],
    ['a tool that does not exist', () => calling('python', '{"command": "ls"}'), 'could not be used'],
    ['no tool call', () => response({}), 'could not be used'],
    ['nothing at all', () => response({ content: [] }), 'could not be used'],
    [
      'a refusal',
      () => response({ content: [{ type: 'text', text: 'No.' }], finishReason: 'refusal' }),
      'could not be used',
    ],
    ['a reply that was cut off', () => response({ finishReason: 'length' }), 'cut off at the output limit'],
  ])('tells the model of %s and goes on', async (_, answer, told) => {
    const fixture = fixtureOf([answer(), submitting()]);
    const { outcome, exitCode } = await fixture.run();
    expect([exitCode, outcome['exit_status']]).toEqual([0, 'Submitted']);
    const last = drafted(fixture.calls[1]).messages.at(-1);
    expect(last?.content.map((part) => part.text).join('')).toContain(told);
    expect(flaws(fixture.calls)).toEqual([null, null]);
    expect(fixture.commands).toHaveLength(1);
  });

  test('ends by a refusal of the gateway with its own exit status', async () => {
    const refusal = { kind: 'refused', type: 'token_limit', code: 'token_limit', message: 'why' } as const;
    const fixture = fixtureOf([running('ls'), { status: 403, body: refuse(refusal) }]);
    expect((await fixture.run()).outcome['exit_status']).toBe('TokenBudgetExceeded');
  });

  test('sends back what the model thought, as it came, where the wire has a form for it', async () => {
    const thought = 'The sheet is long.';
    const reasoning = {
      chat: [],
      responses: [{ kind: 'item' as const, id: 'rs', summary: [thought], encrypted: sealOf(thought) }],
      messages: [{ kind: 'thinking' as const, text: thought, signature: sealOf(thought) }],
    }[wire];
    const fixture = fixtureOf([running('ls', reasoning.length === 0 ? {} : { reasoning }), submitting()]);
    await fixture.run();
    expect(flaws(fixture.calls)).toEqual([null, null]);
    expect(drafted(fixture.calls[1]).messages[2]).toMatchObject(
      reasoning.length === 0 ? { role: 'assistant' } : { reasoning },
    );
  });
});

test('marks on the messages wire stand after the system prompt and the last block, so that each call can read what the one before wrote', async () => {
  const fixture = new RunnerFixture();
  fixtures.push(fixture);
  fixture.wire = 'messages';
  fixture.exec = (command) => observation(command === 'ls' ? 'a.xlsx\n' : 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n');
  fixture.answers = [running('ls'), submitting()].map((answer) => ({
    status: 200,
    body: renderMessage(answer, { id: 'call', model: 'm' }),
  }));
  await fixture.run();
  const [first, second] = fixture.calls.map(({ body }) =>
    messagesServerWire.cachePoints(body as unknown as Record<string, unknown>),
  );
  expect(first).toHaveLength(2);
  expect(second).toHaveLength(2);
  expect(second?.[0]).toBe(first?.[0]);
  expect(second?.[1]?.startsWith(first?.[1] ?? 'none')).toBe(true);
});
