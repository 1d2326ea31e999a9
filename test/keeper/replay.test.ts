import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { strongestLevel } from '../support/jail-level.ts';

const level = strongestLevel;

describe('the next epoch of an attempt', () => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  const commands = ['date +%N | tee made', 'cat made', 'exit 3'];

  it('runs recorded commands again and answers with the recorded observations', async () => {
    const first = await jails.run(`for command in ${JSON.stringify(commands)}: run(command, 5)`);
    const log = join(first.directory, 'commands.jsonl');
    const second = await jails.run(
      `for command in ${JSON.stringify([...commands, 'cat made'])}: print(run(command, 5))`,
      { epoch: 2, replayLogs: [log, join(first.directory, 'absent.jsonl')] },
    );
    expect(second.commands.slice(0, 3).map(({ output }) => output)).toEqual(first.commands.map(({ output }) => output));
    expect(second.commands[2]?.rerun).toEqual({ returncode: 3, timedOut: false });
    expect([second.done.replayed, second.done.divergedAtCommand]).toEqual([3, null]);
    const fresh = second.commands[3]?.output;
    expect(fresh).not.toBe(first.commands[0]?.output);
    expect(second.commands[3]?.rerun).toBeNull();
  });

  it('notes an exit code that differs from the recorded one', async () => {
    const first = await jails.observations(['test -e /tmp/flag; echo seen']);
    expect(first).toHaveLength(1);
    const recorded = await jails.run(`run('exit 0', 5)`);
    const log = await jails.folder('edited', {
      'commands.jsonl': `${JSON.stringify({ ...recorded.commands[0], output: 'recorded', returncode: 7 })}\n`,
    });
    const again = await jails.run(`print(run('exit 0', 5)['output'])`, { replayLogs: [join(log, 'commands.jsonl')] });
    expect(again.log).toBe('recorded\n');
    expect([again.commands[0]?.returncode, again.commands[0]?.rerun?.returncode]).toEqual([7, 0]);
  });

  it('answers from the first different command on with what it sees, though later texts agree again', async () => {
    const first = await jails.run(`for command in ${JSON.stringify(commands)}: run(command, 5)`);
    const second = await jails.run(`for command in ['date +%N | tee made', 'echo other', 'exit 3']: run(command, 5)`, {
      replayLogs: [join(first.directory, 'commands.jsonl')],
    });
    expect(second.commands.map(({ rerun }) => rerun !== null)).toEqual([true, false, false]);
    expect([second.done.replayed, second.done.divergedAtCommand]).toEqual([1, 2]);
  });

  it('ignores the torn last line of a keeper that was killed while writing', async () => {
    const first = await jails.run(`run('date +%N', 5); run('date +%N', 5)`);
    const lines = first.commands.map((entry) => JSON.stringify(entry));
    const torn = await jails.folder('torn', { 'commands.jsonl': `${lines[0]}\n${lines[1]?.slice(0, 40)}` });
    const second = await jails.run(`run('date +%N', 5); run('date +%N', 5)`, {
      replayLogs: [join(torn, 'commands.jsonl')],
    });
    expect(second.done.replayed).toBe(1);
    expect(second.commands[0]?.output).toBe(first.commands[0]?.output);
  });

  it('answers up to the first line that a power cut spoilt, whatever it left there', async () => {
    const first = await jails.run(`run('date +%N', 5); run('date +%N', 5)`);
    const lines = first.commands.map((entry) => JSON.stringify(entry));
    const cut = await jails.folder('cut', { 'commands.jsonl': `${lines[0]}\n\0\0\0\n${lines[1]}\n` });
    const second = await jails.run(`run('date +%N', 5); run('date +%N', 5)`, {
      replayLogs: [join(cut, 'commands.jsonl')],
    });
    expect(second.done.replayed).toBe(1);
  });
});
