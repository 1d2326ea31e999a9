import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataHome } from '../src/services/data-home/data-home.ts';
import { packageRoot } from '../src/services/package-root.ts';
import type { BenchRow } from './bench-row.ts';
import { quantile } from './quantile.ts';
import { stubJudge, writeStubExperiment } from './stub-experiment.ts';
import { runStubPass, type StubPass } from './stub-pass.ts';

/**
 * What the engine adds to an attempt: stub harness and no-op judge through worker, gateway, Temporal, keeper and jails,
 * minus the programs' own run time outside any jail. Once with one lane, once with four. Takes about a minute.
 */
export async function benchOverhead(home: DataHome, attempts = 100): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anneal-bench-'));
  try {
    const one = writeStubExperiment(join(folder, 'one'), { name: `alone-${process.pid}`, attempts, lanes: 1 });
    const four = writeStubExperiment(join(folder, 'four'), { name: `lanes-${process.pid}`, attempts, lanes: 4 });
    const alone = await runStubPass(home, one);
    const lanes = await runStubPass(home, four);
    return [...rowsAlone(alone, ownMs()), ...rowsOfLanes(lanes)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The stub's and the judge's own run time, without what it takes this process to spawn anything: not the engine's. */
function ownMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'anneal-own-'));
  writeFileSync(join(folder, 'test.sh'), stubJudge.replaceAll('/logs/verifier', folder));
  const time = (command: string, parameters: readonly string[]): number => {
    const runs = Array.from({ length: 20 }, () => {
      const start = process.hrtime.bigint();
      spawnSync(command, parameters, { stdio: 'ignore' });
      return Number(process.hrtime.bigint() - start) / 1e6;
    });
    return quantile(runs, 0.5);
  };
  const stub = join(packageRoot, 'harnesses', 'stub', 'solve.py');
  const spawning = time('/bin/true', []);
  const own = time('/usr/bin/python3', ['-I', stub, '--out', folder]) + time('/bin/bash', [join(folder, 'test.sh')]);
  rmSync(folder, { recursive: true, force: true });
  return Math.max(0, own - 2 * spawning);
}

function rowsAlone(pass: StubPass, own: number): BenchRow[] {
  const count = pass.attempts.length;
  const per = pass.wallMs / (count - 1);
  const services = (pass.cpuMs.temporal + pass.cpuMs.gateway + pass.cpuMs.worker) / count;
  const jails = mean(pass.attempts.map(({ cpuMs }) => Object.values(cpuMs).reduce((sum, value) => sum + value, 0)));
  const phases = [...new Set(pass.attempts.flatMap(({ phases: all }) => Object.keys(all)))].toSorted();
  return [
    row('overhead: wall per attempt, alone', (per - own) / 1000, 's', 0.15),
    row('overhead: CPU per attempt, alone', (services + jails - own) / 1000, 's', 0.15),
    row('  stub and no-op judge by themselves', own, 'ms', null),
    row('  CPU of worker', pass.cpuMs.worker / count, 'ms', null),
    row('  CPU of Temporal', pass.cpuMs.temporal / count, 'ms', null),
    row('  CPU of gateway', pass.cpuMs.gateway / count, 'ms', null),
    row('  CPU of keepers and jails', jails, 'ms', null),
    ...phases.map((name) =>
      row(
        `  wall of ${name}`,
        quantile(
          pass.attempts.map(({ phases: all }) => all[name] ?? 0),
          0.5,
        ),
        'ms',
        null,
      ),
    ),
  ];
}

function rowsOfLanes(pass: StubPass): BenchRow[] {
  const rate = (pass.attempts.length - 1) / (pass.wallMs / 1000);
  return [{ name: 'attempts per second at 4 lanes', value: rate, unit: '/s', target: 10, better: 'higher' }];
}

function row(name: string, value: number, unit: string, target: number | null): BenchRow {
  return { name, value, unit, target, better: 'lower' };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
