import { isOver, renderPlan } from '../report/plan/render-plan.ts';
import type { CommandContext } from './context.ts';
import { readPlan } from './read-plan.ts';

/** Show what an experiment file would take against its limits. Nothing is started, stored or spent. */
export async function planExperiment(
  context: CommandContext,
  file: string,
  { lanes, json }: { readonly lanes: number | undefined; readonly json: boolean },
): Promise<void> {
  const { terminal, dependencies } = context;
  const home = context.home();
  const lock = await dependencies.preview({ file, home, lanes }, (line) => terminal.narrate(line));
  const plan = readPlan(home, lock);
  if (json) {
    context.printJson(plan);
    return;
  }
  terminal.print(renderPlan(lock, plan, terminal.palette));
  context.next(isOver(plan) ? `anneal report ${lock.id}` : `anneal run ${file}`);
}
