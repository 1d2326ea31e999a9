import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { experimentHelp, jsonOption } from '../options.ts';
import { followToReport } from '../run-experiment.ts';

/** `anneal watch [EXP]`. */
export function addWatch(program: Command, context: CommandContext): void {
  program
    .command('watch')
    .summary('follow an experiment to its report')
    .description(
      'Show an experiment as it goes on, redrawn in place on a terminal. There, p pauses or resumes it, l sets its lanes, ' +
        'a shows all attempts in flight, enter one of them; q or Ctrl-C only leaves, it goes on.',
    )
    .argument('[experiment]', experimentHelp)
    .addOption(jsonOption('print a done record on standard output at the end'))
    .action(async (wanted, { json = false }) => {
      const home = context.existingHome();
      const lock = context.experiment(home, wanted);
      await context.withEngine(home, (engine) => followToReport(context, engine, lock, { json }));
    });
}
