import { hasCaps } from '../domain/has-caps.ts';
import { renderLaunch } from '../report/plan/render-launch.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import type { Engine } from '../services/engine.ts';
import { isExperimentClosed } from '../services/data-home/experiment-closed.ts';
import { experimentDirectory } from '../services/data-home/experiment-directory.ts';
import { readRecords } from '../services/data-home/read-records.ts';
import type { CommandContext } from './context.ts';
import { follow } from './follow.ts';
import { terminalJson } from './guarded-terminal.ts';
import { printReport, readReport } from './print-report.ts';
import { readPlan } from './read-plan.ts';

/** `anneal run`'s options, parsed; without `lanes` those of the experiment file hold. */
export interface RunOptions {
  readonly detach: boolean;
  readonly allowNew: boolean;
  readonly lanes: number | undefined;
  readonly json: boolean;
}

/** Freeze a file, start or attach to its experiment, follow it to its report. The same file again goes on where it was. */
export async function runExperiment(context: CommandContext, file: string, options: RunOptions): Promise<void> {
  const { terminal, dependencies } = context;
  const home = context.home();
  await context.withEngine(home, async (engine) => {
    const narrate = (line: string): void => terminal.narrate(line);
    const { lanes, allowNew } = options;
    const isOpen = (lock: ExperimentLock): Promise<boolean> => isUnderWay(home, engine, lock);
    const { lock } = await dependencies.freeze({ file, home, lanes, allowNew, isOpen }, narrate);
    const start = isExperimentClosed(home, lock.id) ? 'closed' : await launch(context, engine, lock, options);
    announce(context, home, lock, start, options);
    if (start === 'closed') finish(context, home, lock, options);
    else if (!options.detach) await followToReport(context, engine, lock, options);
  });
}

/** Follow, then print the report; a person who leaves is told how to come back. */
export async function followToReport(
  context: CommandContext,
  engine: Engine,
  lock: ExperimentLock,
  options: Pick<RunOptions, 'json'>,
): Promise<void> {
  if ((await follow(context, engine, lock)) === 'closed') {
    finish(context, engine.home, lock, options);
    return;
  }
  context.exitCode = 130;
  const { live } = context.terminal;
  // The terminal echoes ^C on the line of the drawn area.
  if (live !== null) context.terminal.narrate('');
  context.terminal.narrate(`still running: ${lock.id} goes on without this terminal`);
  context.terminal.narrate(
    `${context.terminal.narrationPalette.dim('next')}  anneal watch ${lock.id}     to come back`,
  );
}

async function launch(
  { terminal }: CommandContext,
  engine: Engine,
  lock: ExperimentLock,
  { lanes }: RunOptions,
): Promise<'started' | 'attached' | 'closed'> {
  await engine.up((line) => terminal.narrate(line), lock);
  const start = await engine.start(lock);
  if (start !== 'attached') return start;
  const live = await engine.live(lock);
  if (live?.paused === true || lanes !== undefined) await engine.resume(lock, lanes);
  return start;
}

function announce(
  { terminal }: CommandContext,
  home: DataHome,
  lock: ExperimentLock,
  start: 'started' | 'attached' | 'closed',
  { json }: RunOptions,
): void {
  const records = start === 'closed' ? [] : readRecords(experimentDirectory(home, lock.id));
  const kept = records.filter((record) => record.kind === 'attempt').length;
  const caps = start === 'closed' || !hasCaps(lock.identity) ? [] : readPlan(home, lock).caps;
  if (json) {
    const { id, digest, identity } = lock;
    terminal.print(terminalJson({ kind: 'launch', experiment: id, name: identity.name, digest, start, kept, caps }));
    return;
  }
  terminal.print(renderLaunch(lock, { start, kept, caps }, terminal.palette));
}

function finish(
  context: CommandContext,
  home: DataHome,
  lock: ExperimentLock,
  { json }: Pick<RunOptions, 'json'>,
): void {
  const read = readReport(context, home, lock);
  if (json) {
    const { report } = read;
    const exit = context.exitCode;
    context.terminal.print(terminalJson({ kind: 'done', experiment: lock.id, state: report.state, exit, report }));
    return;
  }
  context.terminal.print('');
  printReport(context, lock, read);
}

/** Whether an experiment of the same name runs, or has attempts that a change of its file would leave behind. */
async function isUnderWay(home: DataHome, engine: Engine, lock: ExperimentLock): Promise<boolean> {
  if (isExperimentClosed(home, lock.id)) return false;
  if (readRecords(experimentDirectory(home, lock.id)).length > 0) return true;
  return (await engine.live(lock))?.run === 'running';
}
