import { callThroughLease } from '../../src/adapters/lease-client.ts';
import type { Lease } from '../../src/schema/lease.ts';
import type { Message, ModelResponse, ToolDefinition } from '../../src/schema/model-call.ts';
import type { PlayedCommands, PlayedState } from './played-commands.ts';

export interface PlayedAttempt {
  readonly systemTemplate: string;
  readonly playbook: string;
  readonly instruction: string;
  readonly workDirectory: string;
  readonly lease: Pick<Lease, 'socketDirectory' | 'token'>;
}

export interface PlayedEnd {
  readonly exitStatus: string;
  readonly messages: readonly Message[];
  readonly state: PlayedState;
  readonly commands: number;
}

const bash: ToolDefinition = {
  name: 'bash',
  description: 'Execute a bash command',
  parameters: {
    type: 'object',
    properties: { command: { type: 'string', description: 'The bash command to execute' } },
    required: ['command'],
  },
};

const sentinel = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
const mostFormatErrors = 3;

/** Exit statuses of the runner for what the gateway refuses. */
const refusals: Readonly<Record<string, string>> = {
  call_limit: 'CallBudgetExceeded',
  token_limit: 'TokenBudgetExceeded',
  budget_refused: 'BudgetRefused',
  context_overflow: 'ContextOverflow',
  invalid_request: 'InvalidRequest',
  refusal: 'Refusal',
};

/** H0's loop on the messages that the runner sends, with every model call through a lease of the real gateway. */
export async function playAgent(
  attempt: PlayedAttempt,
  commands: Pick<PlayedCommands, 'run'>,
  start: PlayedState,
): Promise<PlayedEnd> {
  const messages: Message[] = openingMessages(attempt);
  let state = start;
  let run = 0;
  let formatErrors = 0;
  for (let call = 1; ; call += 1) {
    const end = (exitStatus: string): PlayedEnd => ({ exitStatus, messages, state, commands: run });
    const reply = await callThroughLease(attempt.lease as Lease, call, { messages, tools: [bash] });
    if (reply.kind === 'refused') return end(refusals[reply.type] ?? 'GatewayError');
    const action = commandOf(reply.response);
    if (action.kind === 'unusable') {
      messages.push(text('user', formatError(action.why, reply.response.finishReason)));
      formatErrors += 1;
      if (formatErrors >= mostFormatErrors) return end('RepeatedFormatError');
      continue;
    }
    formatErrors = 0;
    messages.push({ role: 'assistant', content: reply.response.content, toolCalls: reply.response.toolCalls });
    const observed = await commands.run(state, action.command);
    state = observed.after;
    run += 1;
    if (observed.output.split('\n')[0]?.trim() === sentinel && observed.returncode === 0) return end('Submitted');
    messages.push({
      role: 'tool',
      toolCallId: reply.response.toolCalls[0]?.id ?? '',
      content: [{ type: 'text', text: observationText(observed.output, observed.returncode) }],
    });
  }
}

/** The first two messages, as the runner renders H0's template. */
function openingMessages(
  attempt: Pick<PlayedAttempt, 'systemTemplate' | 'playbook' | 'instruction' | 'workDirectory'>,
): Message[] {
  const playbook = attempt.playbook.trim();
  const system = attempt.systemTemplate
    .replace(/\{% if playbook %\}([\s\S]*?)\{% endif %\}/, (_, body: string) => (playbook === '' ? '' : body))
    .replace(/\n$/, '');
  if (/\{[{%]/.test(system.replace('{{ playbook }}', ''))) {
    throw new Error('the system prompt has a template tag that is not played');
  }
  const user = `Please do this office task in ${attempt.workDirectory}:\n\n<task>\n${attempt.instruction}\n</task>`;
  return [
    text(
      'system',
      system.replace('{{ playbook }}', () => playbook),
    ),
    text('user', user),
  ];
}

function observationText(output: string, returncode: number): string {
  const body =
    output.length <= 10_000
      ? `<output>\n${output}</output>`
      : `<warning>${output.length - 10_000} characters in the middle are left out.</warning>\n<output_head>\n${output.slice(0, 5_000)}\n</output_head>\n<output_tail>\n${output.slice(-5_000)}\n</output_tail>`;
  return `<returncode>${returncode}</returncode>\n${body}`;
}

type Action = { readonly kind: 'run'; readonly command: string } | { readonly kind: 'unusable'; readonly why: string };

function commandOf({ toolCalls }: ModelResponse): Action {
  const [call] = toolCalls;
  if (call === undefined) {
    return {
      kind: 'unusable',
      why: 'No tool calls found in the response. Every response MUST include at least one tool call.',
    };
  }
  try {
    const command = (JSON.parse(call.arguments) as { command?: unknown }).command;
    if (call.name === 'bash' && typeof command === 'string') return { kind: 'run', command };
  } catch {
    return { kind: 'unusable', why: 'Error parsing tool call arguments.' };
  }
  return { kind: 'unusable', why: `Unknown tool '${call.name}'.` };
}

function formatError(why: string, finishReason: string): string {
  const first =
    finishReason === 'length'
      ? 'The reply was cut off at the output limit before it made a tool call. Be brief and make one `bash` call.'
      : `The reply could not be used: ${why}`;
  return `${first}\n\nEvery reply needs at least one call of the tool \`bash\` with the argument {"command": "..."}.\nTo finish, run \`echo ${sentinel}\` as a command of its own.`;
}

function text(role: 'system' | 'user', content: string): Message {
  return { role, content: [{ type: 'text', text: content }] };
}
