import { existsSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { holdOf } from '../../report/status/holds.ts';
import { simulatedLine } from '../../report/layout/labels.ts';
import { progressOf } from '../../report/status/progress.ts';
import { textTable } from '../../report/layout/text-table.ts';
import { isSimulated, worldOf, type ExperimentLock } from '../../schema/experiment-lock.ts';
import type { DataHome } from '../../services/data-home/data-home.ts';
import { experimentDirectory, listExperiments } from '../../services/data-home/experiment-directory.ts';
import { readRecords } from '../../services/data-home/read-records.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';

/** One experiment of `anneal list --json`. */
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  readonly createdAt: string;
  readonly state: 'open' | 'complete' | 'cancelled';
  readonly phase: string;
  /** Code of what it waits for, null while it goes on. */
  readonly held: string | null;
  readonly arms: readonly string[];
  readonly attempts: number;
  readonly simulated: boolean;
  readonly world: string | null;
}

/** `anneal list`. */
export function addList(program: Command, context: CommandContext): void {
  program
    .command('list')
    .summary('experiments of this folder, newest first')
    .description('List the experiments of this data home, newest first.')
    .addOption(jsonOption())
    .action(({ json = false }) => {
      const home = context.home();
      const listed = existsSync(home.root) ? listExperiments(home).map((lock) => listedOf(home, lock)) : [];
      context.tellDamage(home);
      if (json) context.printJson(listed);
      else show(context, listed);
    });
}

function listedOf(home: DataHome, lock: ExperimentLock): Listed {
  const records = readRecords(experimentDirectory(home, lock.id));
  const { state, phase, held } = progressOf(records);
  return {
    id: lock.id,
    name: lock.identity.name,
    digest: lock.digest,
    createdAt: lock.createdAt,
    state,
    phase,
    held: held.map((record) => holdOf(lock, record, records)?.error.code ?? 'unknown')[0] ?? null,
    arms: lock.identity.arms.map(({ name }) => name),
    attempts: records.filter((record) => record.kind === 'attempt').length,
    simulated: isSimulated(lock.identity),
    world: worldOf(lock.identity),
  };
}

function show(context: CommandContext, listed: readonly Listed[]): void {
  const { terminal } = context;
  if (listed.length === 0) {
    terminal.print('no experiments here yet');
    context.next('anneal demo     anneal run FILE');
    return;
  }
  const head = ['id', 'name', 'phase', 'arms', 'attempts', 'created', 'model'];
  terminal.print(
    textTable([
      head.map((text) => terminal.palette.dim(text)),
      ...listed.map((entry) => [
        terminal.palette.bold(entry.id),
        entry.name,
        entry.held === null ? entry.phase : `${entry.phase} ${terminal.palette.red(`needs you (${entry.held})`)}`,
        entry.arms.join(','),
        String(entry.attempts),
        entry.createdAt.slice(0, 16).replace('T', ' '),
        entry.simulated ? `simulated ${entry.world ?? ''}` : 'real',
      ]),
    ]),
  );
  const simulated = listed.find((entry) => entry.simulated);
  if (simulated !== undefined) {
    terminal.print(terminal.palette.yellow(simulatedLine({ simulated: true, world: null }) ?? ''));
  }
  context.next(`anneal status ${listed[0]?.id ?? ''}     anneal report ${listed[0]?.id ?? ''}`);
}
