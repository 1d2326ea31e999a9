import Table from 'cli-table3';
import type { World } from '../src/schema/world.ts';
import { signsText, type RecoveredTruth } from './recovered-truth.ts';

/** One experiment of the table. */
export interface WorldRun {
  readonly world: World;
  readonly seed: number;
  readonly truth: RecoveredTruth;
}

/** True when the experiment found every declared sign, and the gate kept what selection made worse from being claimed. */
export function recovered({ world, truth }: WorldRun): boolean {
  const gateHolds = world.expectedSigns.selection === '+' ? truth.gated !== 'h0' : truth.gated === 'h0';
  return (
    signsText(truth.signs) === signsText(world.expectedSigns) &&
    signsText(truth.agentErrors) === signsText(world.expectedAgentErrors) &&
    gateHolds
  );
}

/** Declared beside recovered signs, in the order selection, in-domain, cross-office; one column per seed. */
export function worldsTable(runs: readonly WorldRun[]): string {
  const seeds = [...new Set(runs.map(({ seed }) => seed))].toSorted((one, other) => one - other);
  const worlds = [...new Map(runs.map(({ world }) => [world.name, world])).values()];
  const table = new Table({
    head: ['world', 'declared', ...seeds.map((seed) => `seed ${seed}`), 'agent errors', 'the gate takes'],
    style: { head: [], border: [], compact: true },
  });
  for (const world of worlds) {
    const own = seeds.map((seed) => runs.find((run) => run.world.name === world.name && run.seed === seed));
    const distinct = (text: (run: WorldRun) => string): string =>
      [...new Set(own.flatMap((run) => (run === undefined ? [] : [text(run)])))].join(' or ');
    table.push([
      world.name,
      signsText(world.expectedSigns),
      ...own.map((run) => (run === undefined ? '' : `${signsText(run.truth.signs)}${recovered(run) ? '' : ' WRONG'}`)),
      `${signsText(world.expectedAgentErrors)}: ${distinct((run) => signsText(run.truth.agentErrors))}`,
      distinct((run) => run.truth.gated ?? 'none'),
    ]);
  }
  const right = runs.filter(recovered).length;
  return `${table.toString()}\nsigns of the best evolved revision against H0: selection, in-domain, cross-office\n${right} of ${runs.length} experiments recover what their world declares\n`;
}
