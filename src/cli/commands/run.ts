import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context.ts';
import { jsonOption, lanesOption } from '../options.ts';
import { planExperiment } from '../plan-experiment.ts';
import { runExperiment } from '../run-experiment.ts';

/** `anneal run FILE`. */
export function addRun(program: Command, context: CommandContext): void {
  program
    .command('run')
    .summary('run an experiment file to its report')
    .description(
      'Check an experiment file, start what it needs and follow it to its report. The same file again attaches to the ' +
        'same experiment or goes on where it stopped; Ctrl-C only leaves it.',
    )
    .argument('<file>', 'experiment file, for example experiments/ace.yaml')
    .option('-d, --detach', 'start it and return at once; it goes on in the background')
    .option('--new', 'start another experiment although an open one of this name has other contents')
    .option('--dry-run', 'show what it would take against its limits; nothing is started or spent')
    .addOption(lanesOption())
    .addOption(
      jsonOption('print one launch and one done record, a line each, on standard output; with --dry-run the plan'),
    )
    .action(async (file, { detach = false, dryRun = false, new: allowNew = false, lanes, json = false }) => {
      if (dryRun) {
        await planExperiment(context, file, { lanes, json });
        return;
      }
      await runExperiment(context, file, { detach, allowNew, lanes, json });
    });
}
