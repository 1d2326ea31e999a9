import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { AttemptRecord } from '../src/schema/record.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { createEngine } from '../src/services/create-engine.ts';
import { createDataHome, dataHomeAt, type DataHome } from '../src/services/data-home.ts';
import { experimentDirectory } from '../src/services/experiment-directory.ts';
import { readRecords } from '../src/services/experiment-records.ts';
import { freezeExperiment } from '../src/services/freeze-experiment.ts';
import { packageRoot } from '../src/services/package-root.ts';
import { readPidFile } from '../src/services/pid-file.ts';
import { ensurePythonEnvironments, environmentNames } from '../src/services/python-environments.ts';
import { serviceNames, serviceSpecification, type ServiceName } from '../src/services/service-specification.ts';
import { storeExperiment } from '../src/services/store-experiment.ts';
import { SupervisedService } from '../src/services/supervised-service.ts';
import { claimTemporalAddress } from '../src/services/temporal-address.ts';
import { connectTemporal } from '../src/services/temporal-connection.ts';
import type { BenchRow } from './bench-row.ts';
import { stubJudge, writeStubExperiment } from './stub-experiment.ts';

const ticksPerSecond = 100;

interface Pass {
  readonly attempts: readonly AttemptRecord[];
  readonly wallMs: number;
  readonly cpuMs: Readonly<Record<ServiceName, number>>;
}

/**
 * What the engine adds to an attempt: stub harness and no-op judge through worker, gateway, Temporal, keeper and jails,
 * minus the programs' own run time outside any jail. Once with one lane, once with four. Takes about a minute.
 */
export async function benchOverhead(attempts = 100): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anneal-bench-'));
  const home = dataHomeAt(join(packageRoot, '.anneal-bench'));
  rmSync(home.ledger, { force: true });
  createDataHome(home);
  await ensurePythonEnvironments(home, environmentNames, (line) => process.stderr.write(`${line}\n`));
  const services = await startStubServices(home);
  try {
    const alone = await runPass(home, writeStubExperiment(join(folder, 'one'), `alone-${process.pid}`, attempts, 1));
    const lanes = await runPass(home, writeStubExperiment(join(folder, 'four'), `lanes-${process.pid}`, attempts, 4));
    return [...rowsAlone(alone, ownMs()), ...rowsOfLanes(lanes)];
  } finally {
    for (const service of services.toReversed()) await service.stop(20_000);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startStubServices(home: DataHome): Promise<SupervisedService[]> {
  const { address } = await claimTemporalAddress(home, {});
  const log = pino({ level: 'silent' });
  const services = serviceNames.map((name) => {
    const specification = serviceSpecification(home, name, address, process.env);
    const stub = [join(packageRoot, 'dist', 'bench', 'stub-worker.js')];
    return new SupervisedService(name === 'worker' ? { ...specification, parameters: stub } : specification, log);
  });
  for (const service of services) service.start();
  await (await connectTemporal(address, 30_000)).connection.close();
  return services;
}

async function runPass(home: DataHome, file: string): Promise<Pass> {
  const engine = createEngine(home, process.env);
  const frozen = await freezeExperiment(file, home, process.env, () => undefined);
  const { lock } = await storeExperiment(home, frozen, async () => false, true);
  const before = cpuOfServices(home);
  await engine.start(lock);
  const attempts = await attemptsOf(home, lock, engine);
  await engine.close();
  const after = cpuOfServices(home);
  const times = attempts.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b);
  const wallMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    attempts,
    wallMs,
    cpuMs: {
      temporal: after.temporal - before.temporal,
      gateway: after.gateway - before.gateway,
      worker: after.worker - before.worker,
    },
  };
}

async function attemptsOf(
  home: DataHome,
  lock: ExperimentLock,
  engine: ReturnType<typeof createEngine>,
): Promise<AttemptRecord[]> {
  while (true) {
    const live = await engine.live(lock);
    if (live !== null && live.run !== 'running') break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return readRecords(experimentDirectory(home, lock.id)).filter((record) => record.kind === 'attempt');
}

/** CPU time that each service has used so far. */
function cpuOfServices(home: DataHome): Record<ServiceName, number> {
  const used = (name: ServiceName): number => {
    const pid = readPidFile(join(home.run, `${name}.pid`))?.pid;
    if (pid === undefined) return 0;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  };
  return { temporal: used('temporal'), gateway: used('gateway'), worker: used('worker') };
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
    return median(runs);
  };
  const stub = join(packageRoot, 'harnesses', 'stub', 'solve.py');
  const spawning = time('/bin/true', []);
  const own = time('/usr/bin/python3', ['-I', stub, '--out', folder]) + time('/bin/bash', [join(folder, 'test.sh')]);
  rmSync(folder, { recursive: true, force: true });
  return Math.max(0, own - 2 * spawning);
}

function rowsAlone(pass: Pass, own: number): BenchRow[] {
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
      row(`  wall of ${name}`, median(pass.attempts.map(({ phases: all }) => all[name] ?? 0)), 'ms', null),
    ),
  ];
}

function rowsOfLanes(pass: Pass): BenchRow[] {
  const rate = (pass.attempts.length - 1) / (pass.wallMs / 1000);
  return [{ name: 'attempts per second at 4 lanes', value: rate, unit: '/s', target: 10, better: 'higher' }];
}

function row(name: string, value: number, unit: string, target: number | null): BenchRow {
  return { name, value, unit, target, better: 'lower' };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
