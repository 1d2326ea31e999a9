import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttemptRecord } from '../src/schema/record.ts';
import type { DataHome } from '../src/services/data-home/data-home.ts';
import type { BenchRow } from './bench-row.ts';
import { writeStubExperiment } from './stub-experiment.ts';
import { runStubPass } from './stub-pass.ts';

const LANES = 4;
/** Seconds that the judges of the attempts take, in turn: uneven, as tasks are; the longest is far below 20 % of a lane. */
const SECONDS = [0.4, 1.6, 0.7, 2.4, 0.5, 1.1, 0.9, 1.3];

/**
 * How long a pass takes beside the best its lanes allow: max(longest attempt, total ÷ lanes), twelve attempts a lane of
 * uneven length that wait rather than compute, as attempts do that wait for a model. Takes about 20 s.
 */
export async function benchLanes(home: DataHome, attempts = 48): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anneal-bench-'));
  try {
    const name = `makespan-${process.pid}`;
    const file = writeStubExperiment(folder, { name, attempts, lanes: LANES, judgeSeconds: SECONDS });
    const pass = await runStubPass(home, file);
    const lengths = pass.attempts.map(lengthMs);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const ideal = Math.max(...lengths, total / LANES);
    const first = pass.attempts.toSorted((one, other) => one.at.localeCompare(other.at))[0];
    const makespan = pass.wallMs + (first === undefined ? 0 : lengthMs(first));
    return [
      row('lanes: makespan ÷ the best that 4 lanes allow', makespan / ideal, '×', 1.1),
      row('  makespan', makespan / 1000, 's', null),
      row('  all attempts one after the other', total / 1000, 's', null),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `judge` holds its own phases, `judge.…`: they are not added again. */
function lengthMs(attempt: AttemptRecord): number {
  const phases = Object.entries(attempt.phases).filter(([name]) => !name.startsWith('judge.'));
  return phases.reduce((sum, [, phase]) => sum + phase, 0);
}

function row(name: string, value: number, unit: string, target: number | null): BenchRow {
  return { name, value, unit, target, better: 'lower' };
}
