import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, describe, expect, it } from 'vitest';
import { commandExamples } from '../../src/cli/command-examples.ts';
import { CommandContext } from '../../src/cli/context.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { plainPalette } from '../../src/report/layout/palette.ts';
import { CommandLine } from '../support/command-line.ts';

const line = new CommandLine();
const silent: Terminal = {
  print: () => undefined,
  narrate: () => undefined,
  live: null,
  keyboard: null,
  palette: plainPalette,
  narrationPalette: plainPalette,
  columns: 100,
};
const program: CommandUnknownOpts = createProgram(new CommandContext(silent, line.dependencies));

/** Every command with its words, those that only hold others left out. */
function commandsOf(parent: CommandUnknownOpts, words = ''): (readonly [string, CommandUnknownOpts])[] {
  return parent.commands.flatMap((command) => {
    const own = `${words} ${command.name()}`.trim();
    return command.commands.length > 0 ? commandsOf(command, own) : [[own, command] as const];
  });
}

const commands = commandsOf(program);
const transcripts = readdirSync(join(import.meta.dirname, '..', 'transcripts'))
  .map((name) => readFileSync(join(import.meta.dirname, '..', 'transcripts', name), 'utf8'))
  .join('\n');

afterAll(() => line.remove());

describe.each(commands)('anneal %s', (words, command) => {
  it('says in a sentence what each option and argument is', async () => {
    const { out } = await line.run(`${words} --help`);
    const described = [...command.options, ...command.registeredArguments];
    expect(described.every(({ description }) => description.length > 10)).toBe(true);
    const sections = out.slice(out.indexOf('\n\n')).split('\n\nExamples:')[0] ?? '';
    for (const start of sections.matchAll(/^ {2}(?:-|[a-z-]+ {2,})\S.*? {2,}(\S)/gm))
      expect(start[1]).toMatch(/[A-Z`]/);
  });

  it('has examples of its own at the end of its help', async () => {
    const examples = commandExamples[words] ?? [];
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.every(([example]) => example === words || example.startsWith(`${words} `))).toBe(true);
    expect((await line.run(`${words} --help`)).out).toMatch(/\nExamples:\n( {2}anneal .+\n)+$/);
  });

  it('has examples that name no option it does not know', () => {
    const known = command.options.flatMap(({ short, long }) => [short, long]);
    for (const [example] of commandExamples[words] ?? []) {
      for (const option of example.match(/(?<=\s)--?[a-z-]+/g) ?? []) expect(known).toContain(option);
    }
  });

  it('has a golden transcript', () => {
    expect(transcripts).toMatch(new RegExp(`^\\$ anneal ${words}( |$)`, 'm'));
  });
});

it.each([
  ['README.md', 5],
  ['docs/guide.md', 5],
  ['docs/evidence.md', 3],
  ['docs/worlds.md', 0],
])('the commands that %s names exist', (file, atLeast) => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');
  const named = [...text.matchAll(/(?:^|`)(?:[A-Z_]+=\S+ )?(?:npx )?anneal ([a-z]+)/gm)].map(([, word = '']) => word);
  expect(named.length).toBeGreaterThan(atLeast);
  expect(named.filter((word) => !program.commands.some((command) => command.name() === word))).toEqual([]);
});

it('examples are given for commands that exist', () => {
  const names = new Set([...commands.map(([words]) => words), ...program.commands.map((command) => command.name())]);
  expect(Object.keys(commandExamples).filter((words) => !names.has(words))).toEqual([]);
});

it('the help of anneal itself names every exit code', async () => {
  const { out } = await line.run('--help');
  for (const code of [0, 2, 3, 4, 5, 6, 7, 130, 141]) expect(out).toMatch(new RegExp(` ${code}  \\w`));
});
