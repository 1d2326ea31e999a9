import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { jsonOption, lanesOption } from '../options.ts';
import { runExperiment } from '../run-experiment.ts';

/** `anneal demo`. */
export function addDemo(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .summary('run the demo experiment: no key, no cost, a few minutes')
    .description(
      'Run the experiment that ships with anneal, on the built-in tasks, with a simulated model. It shows the whole ' +
        'protocol; its numbers test the engine and say nothing about any method.',
    )
    .option('-d, --detach', 'start it and return at once; it goes on in the background')
    .addOption(lanesOption())
    .addOption(jsonOption('print one launch and one done record, a line each, on standard output'))
    .action(async ({ detach = false, lanes, json = false }) => {
      await runExperiment(context, context.dependencies.demoFile, { detach, allowNew: true, lanes, json });
    });
}
