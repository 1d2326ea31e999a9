import { type CommandUnknownOpts, CommanderError } from '@commander-js/extra-typings';
import { AnnealError, isAnnealError, type ErrorDocument } from '../domain/errors.ts';
import { storageError } from '../domain/storage-error.ts';
import { renderError } from '../domain/render-error.ts';
import { CommandContext } from './context.ts';
import type { Dependencies } from './dependencies.ts';
import { guardedTerminal, terminalJson } from './guarded-terminal.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** Run one command line; resolves to the exit code and never throws. `words` are those after `anneal`. */
export async function runProgram(
  words: readonly string[],
  bare: Terminal,
  dependencies: Dependencies,
): Promise<number> {
  const terminal = guardedTerminal(bare);
  const context = new CommandContext(terminal, dependencies);
  const program = createProgram(context);
  const output: string[] = [];
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
      writeErr: (text) => output.push(text),
      getOutHelpWidth: () => terminal.columns,
    });
  }
  try {
    await program.parseAsync(commandOf(words), { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return usage(error, output, terminal, words, program);
    return fail(error, terminal, words);
  }
}

/** Plain `anneal` is `anneal status`. */
function commandOf(words: readonly string[]): string[] {
  const asksProgram = words.some((word) => ['-h', '--help', '-V', '--version'].includes(word));
  return words.some((word) => !word.startsWith('-')) || asksProgram ? [...words] : ['status', ...words];
}

/** Those words of a line that name a command, and one within it. */
function commandWords(program: CommandUnknownOpts, words: readonly string[]): string[] {
  const names: string[] = [];
  let at = program;
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const inner = at.commands.find((command) => command.name() === word);
    if (inner === undefined) break;
    names.push(word);
    at = inner;
  }
  return names;
}

/** Help and version are no errors; anything else is a line that was not understood. */
function usage(
  error: CommanderError,
  output: readonly string[],
  terminal: Terminal,
  words: readonly string[],
  program: CommandUnknownOpts,
): number {
  if (error.exitCode === 0 || error.code === 'commander.help') {
    if (output.length > 0) terminal.print(output.join('').trimEnd());
    return 0;
  }
  const [what = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
  const next = `${['anneal', ...commandWords(program, words)].join(' ')} --help`;
  const why = hints
    .join(' ')
    .trim()
    .replace(/^\((.*)\)$/, '$1');
  return fail(
    new AnnealError('ANL-1016', { problem: what }, { next, ...(why === '' ? {} : { why }) }),
    terminal,
    words,
  );
}

function fail(error: unknown, terminal: Terminal, words: readonly string[]): number {
  const document = documentOf(error);
  if (words.includes('--json')) terminal.narrate(terminalJson({ error: document }));
  else terminal.narrate(colouredError(document, terminal));
  if (words.includes('--debug')) terminal.narrate(stackOf(error));
  return document.exit;
}

/** Whatever else was thrown is a state that anneal does not know. */
function documentOf(error: unknown): ErrorDocument {
  if (error instanceof AnnealError) return error.toJSON();
  if (isAnnealError(error)) return error;
  const storage = storageError(error);
  if (storage !== null) return storage.toJSON();
  if (isPathError(error)) {
    return new AnnealError('ANL-3012', { path: error.path }, { why: error.message, cause: error }).toJSON();
  }
  const state = error instanceof Error ? error.message : String(error);
  return new AnnealError('ANL-6009', { state }, { next: 'the same with --debug, and report it' }).toJSON();
}

/** What the machine refuses about a path (permissions, a full disk) is no fault of anneal's state. */
function isPathError(error: unknown): error is Error & { readonly path: string } {
  return error instanceof Error && 'syscall' in error && 'path' in error && typeof error.path === 'string';
}

function colouredError(document: ErrorDocument, { narrationPalette }: Terminal): string {
  const [first = '', ...rest] = renderError(document).split('\n');
  return [first.replace(/^error/, (word) => narrationPalette.red(word)), ...rest].join('\n');
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
