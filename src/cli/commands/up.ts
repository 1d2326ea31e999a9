import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';
import { showServices } from '../show-services.ts';

/** `anneal up`. */
export function addUp(program: Command, context: CommandContext): void {
  program
    .command('up')
    .summary('start the background services')
    .description(
      'Start what is missing of Temporal, gateway and worker, and wait until it answers. Open experiments go on by ' +
        'themselves. `anneal run` does this too.',
    )
    .addOption(jsonOption())
    .action(async ({ json = false }) => {
      const services = await context.withEngine(context.home(), (engine) =>
        engine.up((line) => context.terminal.narrate(line)),
      );
      if (json) {
        context.printJson(services);
        return;
      }
      showServices(context, services);
      context.next('anneal     anneal run FILE');
    });
}
