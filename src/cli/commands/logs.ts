import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import { renderAttempt } from '../../report/attempt/render-attempt.ts';
import type { DataHome } from '../../services/data-home/data-home.ts';
import type { CommandContext } from '../context.ts';
import { LogTail } from '../log-tail.ts';
import { renderLogLine } from '../render-log-line.ts';
import { tellAttempts } from '../tell-attempts.ts';

const services = ['gateway', 'worker', 'temporal', 'supervisor'];
const pollMs = 300;

/** `anneal logs [gateway|worker|temporal|ATTEMPT] [-f]`. */
export function addLogs(program: Command, context: CommandContext): void {
  program
    .command('logs')
    .summary('what the services said, or what is on record of an attempt')
    .description(
      'Show the last lines of a service, of all without a name; or what is on record of an attempt: the start of its ' +
        'key or its task, `#2` for the second restart.',
    )
    .argument('[what]', 'a service (gateway, worker, temporal, supervisor) or an attempt')
    .option('-f, --follow', 'go on as lines are written, until Ctrl-C')
    .option('-l, --lines <n>', 'show this many lines from the end', parseLines, 40)
    .option('-e, --experiment <experiment>', 'look for the attempt in this experiment; the newest without it')
    .action(async (what, { follow = false, lines, experiment }) => {
      const home = context.existingHome();
      if (what !== undefined && !services.includes(what)) {
        const lock = context.experiment(home, experiment);
        const stories = await tellAttempts(context, home, lock, what, null);
        const { columns, palette } = context.terminal;
        const blobPath = (digest: string): string => context.dependencies.blobPath(home, digest);
        const screen = { columns, palette, logLines: lines, blobPath };
        context.terminal.print(stories.map((story) => renderAttempt(story, screen)).join('\n\n'));
        context.next(`anneal status ${lock.id}`);
        return;
      }
      await showLogs(context, home, what === undefined ? services : [what], { follow, lines });
    });
}

function parseLines(text: string): number {
  const lines = Number(text);
  if (Number.isInteger(lines) && lines >= 1) return lines;
  throw new InvalidArgumentError('lines are a whole number from 1.');
}

async function showLogs(
  context: CommandContext,
  home: DataHome,
  names: readonly string[],
  { follow, lines }: { readonly follow: boolean; readonly lines: number },
): Promise<void> {
  const { terminal, dependencies } = context;
  const tails = names.map((name) => ({ name, tail: new LogTail(join(home.logs, `${name}.log`)) }));
  const print = (name: string, fresh: readonly string[]): void => {
    const prefix = names.length > 1 ? `${terminal.palette.dim(name.padEnd(10))} ` : '';
    for (const line of fresh) terminal.print(`${prefix}${renderLogLine(line, terminal.palette)}`);
  };
  for (const { name, tail } of tails) print(name, tail.last(lines));
  if (!names.some((name) => existsSync(join(home.logs, `${name}.log`)))) {
    terminal.print('nothing was logged here yet');
    context.next('anneal up');
    return;
  }
  if (!follow) {
    terminal.narrate(
      `${terminal.narrationPalette.dim('next')}  anneal logs ${names.length > 1 ? '' : `${names[0]} `}-f`,
    );
    return;
  }
  await dependencies.interruptible(async (signal) => {
    while (!signal.aborted) {
      await dependencies.sleep(pollMs, signal);
      for (const { name, tail } of tails) print(name, tail.fresh());
    }
  });
}
