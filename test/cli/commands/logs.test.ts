import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.ts';
import { demoRecords, demoStory } from '../../support/demo-story.ts';
import { writeExperiment } from '../../support/fake-engine.ts';
import { buildLock, digestOf } from '../../support/lock-builder.ts';
import { agentError, infrastructure, Story } from '../../support/record-builders.ts';
import { wrongTotal } from '../../support/wrong-total.ts';

const opened: CommandLine[] = [];

function commandLine(...parameters: ConstructorParameters<typeof CommandLine>): CommandLine {
  const made = new CommandLine(...parameters);
  opened.push(made);
  mkdirSync(made.home.logs, { recursive: true });
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

describe('anneal logs', () => {
  it('names the service of each line when several are shown', async () => {
    const line = commandLine();
    writeFileSync(join(line.home.logs, 'worker.log'), 'from the worker\n');
    writeFileSync(join(line.home.logs, 'gateway.log'), 'from the gateway\n');
    expect((await line.run('logs')).out).toBe('gateway    from the gateway\nworker     from the worker\n');
    expect((await line.run('logs worker')).out).toBe('from the worker\n');
  });

  it('follows until Ctrl-C', async () => {
    const line = commandLine();
    const file = join(line.home.logs, 'worker.log');
    writeFileSync(file, 'first\n');
    line.interruptAfter = 2;
    const { sleep } = line.dependencies;
    Object.assign(line.dependencies, {
      sleep: async (milliseconds: number, signal: AbortSignal) => {
        appendFileSync(file, 'later\n');
        await sleep(milliseconds, signal);
      },
    });
    expect((await line.run('logs worker -f')).out).toBe('first\nlater\nlater\n');
  });

  it('says so when nothing was logged', async () => {
    expect((await commandLine().run('logs gateway')).out).toContain('nothing was logged here yet');
  });
});

describe('anneal logs ATTEMPT', () => {
  const command = { n: 1, command: 'python3 - <<END\nprint(1)\nEND', returncode: 0, timedOut: false, durationMs: 120 };
  const files: Record<string, string> = {
    [digestOf('commands')]: `${JSON.stringify(command)}\n{"torn`,
    [digestOf('judge')]: JSON.stringify(wrongTotal('B14 holds 3')),
    [digestOf('log')]: 'Traceback\n',
  };

  it('shows how it ended, its commands, its judgement and its files', async () => {
    const line = commandLine({ readBlob: async (_, digest) => Buffer.from(files[digest] ?? '') });
    const story = new Story().attempts('h0', { p2: infrastructure() });
    story.attempts(
      'h0',
      { p2: agentError(0.4) },
      { blobs: { commands: digestOf('commands'), judge: digestOf('judge'), harnessLog: digestOf('log') } },
    );
    writeExperiment(line.home, story.lock, story.records);
    await expect(
      [(await line.run('logs p2')).transcript, (await line.run('logs p2#1')).transcript].join('\n'),
    ).toMatchFileSnapshot('../../transcripts/logs-attempt.txt');
  });

  it('keeps selection and final tasks closed until the experiment is', async () => {
    const line = commandLine();
    writeExperiment(line.home, buildLock(), demoRecords(4));
    for (const task of ['p1', 'c1', 'office-mini/c4']) {
      const { exit, errors } = await line.run(`logs ${task}`);
      expect(exit).toBe(2);
      expect(errors).toContain('stay sealed until it is closed');
    }
    writeExperiment(line.home, buildLock(), demoStory().story.records);
    expect((await line.run('logs c1')).exit).toBe(0);
  });

  it('that is not there is an error', async () => {
    const line = commandLine();
    writeExperiment(line.home, buildLock(), demoRecords(4));
    expect((await line.run('logs nothing')).errors).toContain('ANL-1015');
  });
});
