import { describe, expect, test } from 'vitest';
import { hasSubmitted } from '../../src/domain/has-submitted.ts';

const words = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
const line = (command: string, output: unknown): string => `${JSON.stringify({ n: 1, command, output })}\n`;

describe('a submission', () => {
  test.each<[string, string, boolean]>([
    ['is a command that printed its words', line(`echo ${words}`, `${words}\n`), true],
    ['may be any of several commands', line('ls', 'a\n') + line(`echo ${words}`, `${words}\nfinal text`), true],
    ['may follow other output', line('x', `set up\r\n${words}\r\n`), true],
    ['is not a command that only names them', line(`echo ${words} > file`, ''), false],
    ['is not a line that holds more than them', line('cat notes', `then echo ${words}\n`), false],
    ['is not an output of another type', line('x', [words]), false],
    ['is not the torn end of a log', `{"output": "${words}`, false],
    ['is nothing without commands', '', false],
  ])('%s', (_, log, expected) => {
    expect(hasSubmitted(log)).toBe(expected);
  });
});
