import { isAnnealError } from '../domain/errors.ts';
import type { EarlierExperiment } from '../report/plan/earlier-experiment.ts';
import { estimatePlan } from '../report/plan/estimate-plan.ts';
import { isOver, renderPlan } from '../report/plan/render-plan.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import { experimentDirectory, listExperiments } from '../services/data-home/experiment-directory.ts';
import type { CommandContext } from './context.ts';
import { readRecords } from '../services/data-home/read-records.ts';

/** Show what an experiment file would take against its limits. Nothing is started, stored or spent. */
export async function planExperiment(
  context: CommandContext,
  file: string,
  { lanes, json }: { readonly lanes: number | undefined; readonly json: boolean },
): Promise<void> {
  const { terminal, dependencies } = context;
  const home = context.home();
  const lock = await dependencies.preview({ file, home, lanes }, (line) => terminal.narrate(line));
  const stored = listExperiments(home);
  const known = stored.some(({ digest }) => digest === lock.digest);
  const own = known ? recordsOf(home, lock) : [];
  const earlier = stored.filter(({ digest }) => digest !== lock.digest).flatMap((other) => readEarlier(home, other));
  const plan = estimatePlan(lock, own, known, earlier);
  if (json) {
    context.printJson(plan);
    return;
  }
  terminal.print(renderPlan(lock, plan, terminal.palette));
  context.next(isOver(plan) ? `anneal report ${lock.id}` : `anneal run ${file}`);
}

function recordsOf(home: DataHome, { id }: ExperimentLock): ReturnType<typeof readRecords> {
  return readRecords(experimentDirectory(home, id));
}

/** Damaged records of another experiment say nothing; they are told by its own commands. */
function readEarlier(home: DataHome, lock: ExperimentLock): EarlierExperiment[] {
  try {
    return [{ lock, records: recordsOf(home, lock) }];
  } catch (error) {
    if (isAnnealError(error)) return [];
    throw error;
  }
}
