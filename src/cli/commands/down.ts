import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';
import { showServices } from '../show-services.ts';

/** `anneal down`. */
export function addDown(program: Command, context: CommandContext): void {
  program
    .command('down')
    .summary('stop the background services')
    .description('Stop what `anneal up` started and nothing else. Attempts in flight are waited for.')
    .option('--now', 'stop attempts in flight too; they go on from where they were at the next `anneal up`')
    .addOption(jsonOption())
    .action(async ({ now = false, json = false }) => {
      let didSomething = false;
      const services = await context.withEngine(context.existingHome(), async (engine) => {
        didSomething = (await engine.services()).some(({ state }) => state === 'running' || state === 'starting');
        return engine.down({ now }, (line) => {
          didSomething = true;
          context.terminal.narrate(line);
        });
      });
      if (json) {
        context.printJson(services);
        return;
      }
      if (!didSomething) context.terminal.print('nothing ran here, so nothing was stopped');
      else showServices(context, services);
      context.next('anneal up     goes on with what is open');
    });
}
