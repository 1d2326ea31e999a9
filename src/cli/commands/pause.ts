import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { experimentHelp } from '../options.ts';
import { requireOpen } from '../require-open.ts';

/** `anneal pause [EXP]`. */
export function addPause(program: Command, context: CommandContext): void {
  program
    .command('pause')
    .summary('start no new attempts')
    .description('Pause an experiment: attempts in flight finish, nothing new starts. Its search time goes on running.')
    .argument('[experiment]', experimentHelp)
    .action(async (wanted) => {
      const home = context.existingHome();
      const lock = context.experiment(home, wanted);
      requireOpen(home, lock, 'paused');
      await context.withEngine(home, (engine) => engine.pause(lock));
      context.terminal.print(`paused ${lock.id}: attempts in flight finish, nothing new starts`);
      context.labels(lock);
      context.next(`anneal resume ${lock.id}`);
    });
}
