import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseChatRequest } from '../../src/gateway/chat-completions/parse-chat-request.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { playAgent } from '../support/played-agent.ts';
import { RunnerFixture, type ModelAnswer, observation, reply, runCommand, submit } from '../support/runner-fixture.ts';

const fixtures: RunnerFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.remove();
});

const instruction = 'Write output/result.xlsx from facts.csv.\n';
const rules = '## OTHERS\n[misc-00001] helpful=0 harmful=0 :: Read {{ what }} was asked.\n';
const silent = reply({ content: 'I only talk.' }, 'stop');

function fixtureOf(playbook: string, answers: readonly ModelAnswer[]): RunnerFixture {
  const fixture = new RunnerFixture({ 'playbook.md': playbook });
  fixture.answers = [...answers];
  fixture.exec = (command) => observation(printedBy(command));
  fixtures.push(fixture);
  return fixture;
}

function printedBy(command: string): string {
  return command.startsWith('echo COMPLETE') ? `${command.replace('echo ', '')}\n` : `ran: ${command}\n`;
}

/** What the gateway lets through of each request. */
function drafts({ calls }: RunnerFixture): unknown[] {
  return calls.map(({ body, call }) => ({ call, ...parseChatRequest(body) }));
}

describe('an agent that is played without a jail', () => {
  test.each<[string, string, readonly ModelAnswer[], string]>([
    ['looks, works and submits', '', [runCommand('ls -la'), runCommand('echo é > out.txt'), submit], 'Submitted'],
    ['follows a playbook', rules, [runCommand('ls -la'), submit], 'Submitted'],
    ['forgets its tool once', '', [silent, runCommand('ls'), submit], 'Submitted'],
    ['is cut off once', '', [reply({ content: 'I was' }, 'length'), submit], 'Submitted'],
    ['calls no tool any more', rules, [runCommand('ls'), silent, silent, silent], 'RepeatedFormatError'],
  ])('and %s sends what the real runner sends', async (_, playbook, answers, exitStatus) => {
    const real = fixtureOf(playbook, answers);
    const { outcome } = await real.run(instruction);
    expect(outcome['exit_status']).toBe(exitStatus);

    const played = fixtureOf(playbook, answers);
    await played.openGateway();
    const end = await playAgent(
      {
        systemTemplate: readFileSync(join(packageRoot, 'harnesses', 'h0', 'systemprompt.md'), 'utf8'),
        playbook,
        instruction,
        workDirectory: '/app',
        lease: { socketDirectory: join(played.root, 'gateway'), token: 'token-1' },
      },
      {
        run: async (after, command) => ({ output: printedBy(command), returncode: 0, after }),
      },
      { key: '', folder: '' },
    );
    expect(end.exitStatus).toBe(exitStatus);
    expect(drafts(played)).toEqual(drafts(real));
  });
});
