import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataHome } from '../src/services/data-home/data-home.ts';
import type { BenchRow } from './bench-row.ts';
import { serviceUse } from './service-use.ts';
import { writeStubExperiment } from './stub-experiment.ts';
import { runStubPass } from './stub-pass.ts';

const LANES = 4;

/** Where one long pass stood at a moment. */
interface Look {
  readonly attempts: number;
  readonly atMs: number;
  readonly cpuMs: number;
  readonly workerMb: number;
}

/**
 * Whether an attempt costs more the longer an experiment is: the second tenth of a pass beside its last one, in CPU time
 * of the services and in wall time, and the worker's memory. The first tenth is left out, for it warms up. 10,000 attempts
 * take about 15 minutes.
 */
export async function benchGrowth(home: DataHome, attempts = 10_000): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anneal-bench-'));
  const looks: Look[] = [];
  try {
    const file = writeStubExperiment(folder, { name: `growth-${process.pid}`, attempts, lanes: LANES });
    await runStubPass(home, file, (done) => {
      const { temporal, gateway, worker } = serviceUse(home);
      const cpuMs = temporal.cpuMs + gateway.cpuMs + worker.cpuMs;
      looks.push({ attempts: done, atMs: performance.now(), cpuMs, workerMb: worker.memoryMb });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const early = between(looks, attempts * 0.1, attempts * 0.2);
  const late = between(looks, attempts * 0.9, attempts);
  const half = looks.filter((look) => look.attempts <= attempts / 2);
  return [
    row(`growth: CPU of an attempt, last tenth of ${attempts} ÷ second tenth`, late.cpuMs / early.cpuMs, '×', 1.2),
    row('growth: wall of an attempt, the same', late.wallMs / early.wallMs, '×', 1.2),
    row("growth: worker's memory, most", mostMemory(looks), 'MB', 600),
    row("  worker's memory, most in the first half", mostMemory(half), 'MB', null),
    row('  CPU of services for an attempt, second tenth', early.cpuMs, 'ms', null),
    row('  CPU of services for an attempt, last tenth', late.cpuMs, 'ms', null),
  ];
}

/** CPU and wall time of one attempt between two counts of attempts, in ms. */
function between(
  looks: readonly Look[],
  from: number,
  to: number,
): { readonly cpuMs: number; readonly wallMs: number } {
  const first = looks.find((look) => look.attempts >= from);
  const last = looks.findLast((look) => look.attempts >= from && look.attempts < to);
  if (first === undefined || last === undefined || first.attempts === last.attempts) return { cpuMs: NaN, wallMs: NaN };
  const count = last.attempts - first.attempts;
  return { cpuMs: (last.cpuMs - first.cpuMs) / count, wallMs: (last.atMs - first.atMs) / count };
}

function mostMemory(looks: readonly Look[]): number {
  return Math.max(...looks.map(({ workerMb }) => workerMb));
}

function row(name: string, value: number, unit: string, target: number | null): BenchRow {
  return { name, value, unit, target, better: 'lower' };
}
