import type { Command } from '@commander-js/extra-typings';
import { exposureOf } from '../../report/numbers/exposure.ts';
import { countText } from '../../report/layout/number-text.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { DataHome } from '../../services/data-home/data-home.ts';
import { isExperimentClosed } from '../../services/data-home/experiment-closed.ts';
import { experimentDirectory, listExperiments } from '../../services/data-home/experiment-directory.ts';
import type { CommandContext } from '../context.ts';
import { experimentHelp } from '../options.ts';
import { readRecords } from '../../services/data-home/read-records.ts';

/** `anneal close [EXP]`. */
export function addClose(program: Command, context: CommandContext): void {
  program
    .command('close')
    .summary('open the sealed records of an experiment that will not go on')
    .description(
      'Close an experiment that stopped and will not go on: what it left running is ended, its sealed records open, its ' +
        'report covers what was scored, and people having seen its final tasks is counted. One that runs is refused: ' +
        '`anneal cancel` ends and closes it. Closing twice changes nothing.',
    )
    .argument('[experiment]', experimentHelp)
    .action(async (wanted) => {
      const home = context.existingHome();
      const lock = context.experiment(home, wanted);
      if (isExperimentClosed(home, lock.id)) context.terminal.print(`${lock.id} is closed already`);
      else await close(context, home, lock);
      showExposure(context, home, lock);
      context.labels(lock);
      context.next(`anneal report ${lock.id}     anneal audit ${lock.id}`);
    });
}

async function close(context: CommandContext, home: DataHome, lock: ExperimentLock): Promise<void> {
  await context.withEngine(home, async (engine) => {
    await engine.up((line) => context.terminal.narrate(line));
    await engine.closeExperiment(lock);
  });
  const attempts = readRecords(experimentDirectory(home, lock.id)).filter(({ kind }) => kind === 'attempt');
  context.terminal.print(
    `closed ${lock.id}: ${countText(attempts.length, 'attempt')} on record, its sealed records are open, its report is written`,
  );
}

function showExposure({ terminal }: CommandContext, home: DataHome, lock: ExperimentLock): void {
  const all = listExperiments(home).map((each) => ({
    lock: each,
    records: readRecords(experimentDirectory(home, each.id)),
  }));
  const { tasks, experiments, openings } = exposureOf(lock, all);
  const early = openings === 0 ? '' : `; ${countText(openings, 'sealed record')} opened before it was closed`;
  terminal.print(
    `exposure  results on its ${countText(tasks, 'final task')} were seen in ${countText(experiments, 'closed experiment')} of this data home${early}`,
  );
}
