import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';
import {
  type ModelAnswer,
  RunnerFixture,
  type SentCall,
  callTool,
  observation,
  reply,
  runCommand,
  submit,
} from '../support/runner-fixture.ts';

const fixtures: RunnerFixture[] = [];

afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.remove();
});

function fixtureOf(
  files: Readonly<Record<string, string>> = {},
  answers: readonly ModelAnswer[] = [submit],
): RunnerFixture {
  const fixture = new RunnerFixture(files);
  fixture.answers = [...answers];
  fixture.exec = (command) =>
    observation(command.includes('COMPLETE_TASK') ? 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n' : `ran: ${command}\n`);
  fixtures.push(fixture);
  return fixture;
}

const texts = (sent: SentCall | undefined): string[] =>
  (sent?.body.messages ?? []).map(({ content }) => String(content));
const h0 = (name: string): string => readFileSync(join(packageRoot, 'harnesses', 'h0', name), 'utf8');

describe('the runner with H0', () => {
  test('runs commands until the model submits, and numbers its calls from 1', async () => {
    const fixture = fixtureOf({}, [runCommand('ls'), runCommand('cat in.txt'), submit]);
    const { exitCode, outcome, trajectory } = await fixture.run();
    expect(exitCode).toBe(0);
    expect(outcome).toMatchObject({ version: 1, exit_status: 'Submitted', exception_signature: '', calls: 3 });
    expect(trajectory).toMatchObject({ trajectory_format: 'mini-swe-agent-1.1', info: { exit_status: 'Submitted' } });
    expect(fixture.calls.map(({ call, token }) => [call, token])).toEqual(
      [1, 2, 3].map((call) => [call, 'Bearer token-1']),
    );
    expect(fixture.commands.map(({ command, timeout }) => [command, timeout])).toEqual([
      ['ls', 30],
      ['cat in.txt', 30],
      ['echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT', 30],
    ]);
    expect(texts(fixture.calls[1]).at(-1)).toContain('ran: ls');
  });

  test('sends the task as it is written, braces and percent signs included', async () => {
    const fixture = fixtureOf();
    const instruction = 'Fill {{ cell }} and keep {% raw %} and {# that #}.\nÜber 100 %.';
    await fixture.run(instruction);
    expect(texts(fixture.calls[0])[1]).toContain(instruction);
  });

  test.each([
    ['an expression', '- [sai-00001] Write {{ 7 * 7 }} and {{ task }}.'],
    ['a statement', '- {% for x in range(3) %}x{% endfor %} {% include "/etc/passwd" %}'],
    ['an unclosed block', '- {% if'],
    ['a comment', '- {# nothing #} stays'],
    ['an attack on the template', "- {{ ''.__class__.__mro__[1].__subclasses__() }}"],
  ])('passes a playbook with %s on as text', async (_, playbook) => {
    const fixture = fixtureOf({ 'playbook.md': `${playbook}\n` });
    const { outcome } = await fixture.run();
    expect(outcome['exit_status']).toBe('Submitted');
    expect(texts(fixture.calls[0])[0]).toContain(playbook);
  });

  test('says nothing of a playbook that is empty', async () => {
    const fixture = fixtureOf();
    await fixture.run();
    expect(texts(fixture.calls[0])[0]).not.toContain('playbook');
    expect(texts(fixture.calls[0])[0]).toBe(h0('systemprompt.md').replace(/\{% if[\s\S]*\{% endif %\}\n?/, ''));
  });

  test('sends text alone, whatever shape the content of earlier replies had', async () => {
    const fixture = fixtureOf({}, [
      runCommand('one', null),
      runCommand('two', [
        { type: 'text', text: 'part a' },
        { type: 'image_url', image_url: { url: 'http://x' } },
        'part b',
      ]),
      runCommand('three', { type: 'text', text: 'a block' }),
      runCommand('four', ''),
      submit,
    ]);
    const { outcome } = await fixture.run();
    expect(outcome['exit_status']).toBe('Submitted');
    const last = fixture.calls.at(-1);
    const assistant = last?.body.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    expect(assistant).toEqual(['', 'part a\npart b', 'a block', '']);
    for (const message of last?.body.messages ?? []) {
      expect(
        Object.keys(message).filter((key) => !['role', 'content', 'tool_calls', 'tool_call_id'].includes(key)),
      ).toEqual([]);
    }
  });

  test.each<[string, ModelAnswer, string]>([
    ['arguments that are no JSON', callTool('bash', '{"command": '), 'could not be used'],
    ['arguments without a command', callTool('bash', '{"cmd": "ls"}'), 'could not be used'],
    ['a tool that does not exist', callTool('python', '{"command": "ls"}'), 'could not be used'],
    ['no tool call', reply({ content: 'I am done.' }, 'stop'), 'could not be used'],
    ['a null for its tool calls', reply({ content: 'Hm.', tool_calls: null }, 'stop'), 'could not be used'],
    ['a reply that was cut off', reply({ content: 'I will now' }, 'length'), 'cut off at the output limit'],
  ])('tells the model of %s and goes on', async (_, answer, told) => {
    const fixture = fixtureOf({}, [answer, submit]);
    const { outcome, exitCode } = await fixture.run();
    expect([exitCode, outcome['exit_status']]).toEqual([0, 'Submitted']);
    expect(texts(fixture.calls[1]).at(-1)).toContain(told);
    expect(fixture.commands).toHaveLength(1);
  });

  test('ends a model that never makes a usable call', async () => {
    const fixture = fixtureOf({}, [reply({ content: 'No.' }, 'stop')]);
    const { outcome } = await fixture.run();
    expect(outcome['exit_status']).toBe('RepeatedFormatError');
  });

  test.each([
    ['call_limit', 429, 'CallBudgetExceeded'],
    ['token_limit', 429, 'TokenBudgetExceeded'],
    ['budget_refused', 402, 'BudgetRefused'],
    ['context_overflow', 400, 'ContextOverflow'],
    ['invalid_request', 400, 'InvalidRequest'],
    ['refusal', 400, 'Refusal'],
    ['provider_unavailable', 503, 'ProviderUnavailable'],
    ['fenced', 403, 'Fenced'],
    ['call_conflict', 409, 'CallConflict'],
    ['something_new', 500, 'GatewayError'],
  ])('ends by %s with an exit status of its own, keeping the trajectory', async (type, status, expected) => {
    const fixture = fixtureOf({}, [runCommand('ls'), { status, body: { error: { type, code: 'x', message: 'why' } } }]);
    const { outcome, trajectory, exitCode } = await fixture.run();
    expect([exitCode, outcome['exit_status'], outcome['exception_signature']]).toEqual([0, expected, '']);
    expect(trajectory?.info['exit_status']).toBe(expected);
    expect(fixture.calls).toHaveLength(2);
  });

  test('asks again under the same number while the gateway is away', async () => {
    const fixture = fixtureOf({}, [runCommand('ls'), 'hang-up', 'hang-up', submit]);
    const ended = fixture.run('Write out.txt.', false);
    setTimeout(() => void fixture.openGateway(), 1_000);
    const { outcome } = await ended;
    expect(outcome['exit_status']).toBe('Submitted');
    expect(fixture.calls.map(({ call }) => call)).toEqual([1, 2, 2, 2]);
    const [, second, third, fourth] = fixture.calls;
    expect(third?.body).toEqual(second?.body);
    expect(fourth?.body).toEqual(second?.body);
  });

  test('shows the model a command that was refused, and one that ran out of time', async () => {
    const fixture = fixtureOf({}, [runCommand('refuse'), runCommand('sleep'), submit]);
    fixture.exec = (command) => {
      if (command === 'refuse') return { kind: 'refused', reason: 'log_full' };
      if (command === 'sleep') return observation('half', { returncode: -1, timedOut: true });
      return observation('COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n');
    };
    await fixture.run();
    expect(texts(fixture.calls[1]).at(-1)).toMatch(/<returncode>126<[\s\S]*log_full/);
    expect(texts(fixture.calls[2]).at(-1)).toMatch(/<returncode>-1<[\s\S]*stopped after 30 seconds/);
  });

  test('shortens a long output to its beginning and its end', async () => {
    const fixture = fixtureOf({}, [runCommand('long'), submit]);
    fixture.exec = (command) =>
      observation(command === 'long' ? `begin${'x'.repeat(20_000)}end` : 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n');
    await fixture.run();
    const shown = texts(fixture.calls[1]).at(-1) ?? '';
    expect(shown.length).toBeLessThan(11_000);
    expect([shown.includes('begin'), shown.includes('end'), shown.includes('10008 characters')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('takes only a successful command that begins with the sentinel for a submission', async () => {
    const fixture = fixtureOf({}, [runCommand('grep'), runCommand('fail'), submit]);
    fixture.exec = (command) => {
      if (command === 'grep') return observation('found: COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n');
      if (command === 'fail') return observation('COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n', { returncode: 1 });
      return observation('COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n');
    };
    await fixture.run();
    expect(fixture.calls).toHaveLength(3);
  });
});
