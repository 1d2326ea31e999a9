import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { experimentHelp } from '../options.ts';
import { requireOpen } from '../require-open.ts';

/** `anneal cancel [EXP]`. */
export function addCancel(program: Command, context: CommandContext): void {
  program
    .command('cancel')
    .summary('end an experiment for good')
    .description(
      'End an experiment for good: attempts in flight are stopped, a report of what was scored is written, and it ' +
        'cannot be resumed. To stop for a while use `anneal pause` or `anneal down`.',
    )
    .argument('[experiment]', experimentHelp)
    .action(async (wanted) => {
      const home = context.existingHome();
      const lock = context.experiment(home, wanted);
      requireOpen(home, lock, 'cancelled');
      await context.withEngine(home, (engine) => engine.cancel(lock));
      context.terminal.print(`cancelling ${lock.id}: its report will cover what was scored`);
      context.labels(lock);
      context.next(`anneal report ${lock.id}`);
    });
}
