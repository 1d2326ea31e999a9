import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { experimentHelp, lanesOption } from '../options.ts';
import { requireOpen } from '../require-open.ts';

/** `anneal resume [EXP]`. */
export function addResume(program: Command, context: CommandContext): void {
  program
    .command('resume')
    .summary('go on with a paused or stopped experiment')
    .description(
      'Go on with an experiment that is paused, stopped or waits for you, starting the services where they are ' +
        'missing: halted models are asked again, attempts without a score are made again. What is scored is not paid ' +
        'again. A key that changed in the environment is taken over. Lanes may change; limits, models, tasks and seeds are ' +
        'frozen.',
    )
    .argument('[experiment]', experimentHelp)
    .addOption(lanesOption())
    .action(async (wanted, { lanes }) => {
      const home = context.existingHome();
      const lock = context.experiment(home, wanted);
      requireOpen(home, lock, 'resumed');
      await context.withEngine(home, async (engine) => {
        await engine.up((line) => context.terminal.narrate(line), lock);
        await engine.start(lock);
        await engine.resume(lock, lanes);
      });
      context.terminal.print(`resumed ${lock.id}${lanes === undefined ? '' : ` with lanes set to ${lanes}`}`);
      context.labels(lock);
      context.next(`anneal watch ${lock.id}`);
    });
}
