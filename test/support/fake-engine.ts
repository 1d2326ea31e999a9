import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../src/schema/record.ts';
import type { DataHome } from '../../src/services/data-home/data-home.ts';
import type { JudgeAgain } from '../../src/contract/activities.ts';
import type { LeftBehind } from '../../src/services/processes/left-behind.ts';
import type { Exposure } from '../../src/services/data-home/record-exposure.ts';
import type { Engine, LiveState, ServiceState } from '../../src/services/engine.ts';
import { experimentDirectory } from '../../src/services/data-home/experiment-directory.ts';

/** Write an experiment's lock and records as the engine does, sealed ones apart. */
export function writeExperiment(home: DataHome, lock: ExperimentLock, records: readonly ExperimentRecord[]): void {
  const directory = experimentDirectory(home, lock.id);
  mkdirSync(directory.root, { recursive: true });
  writeFileSync(directory.lock, JSON.stringify(lock));
  for (const [folder, wanted] of [
    [directory.records, false],
    [directory.sealed, true],
  ] as const) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const lines = records
      .filter((record) => isSealed(record) === wanted)
      .map((record) => `${JSON.stringify(record)}\n`);
    if (lines.length > 0) writeFileSync(join(folder, 'records.jsonl'), lines.join(''));
  }
}

function isSealed(record: ExperimentRecord): boolean {
  return record.kind === 'query' || (record.kind === 'attempt' && record.split !== 'feedback');
}

/** An engine whose experiment goes one stage further at every look. Calls of steering are kept. */
export class FakeEngine implements Engine {
  readonly home: DataHome;
  readonly calls: string[] = [];
  /** Records at each look; the last one stays. */
  stages: readonly (readonly ExperimentRecord[])[] = [];
  isUp: boolean;
  paused = false;
  lanes = 2;
  run: LiveState['run'] | null = null;
  private look = 0;

  constructor(home: DataHome, up = true) {
    this.home = home;
    this.isUp = up;
  }

  async up(report: (line: string) => void): Promise<readonly ServiceState[]> {
    if (!this.isUp) report('services: starting Temporal, gateway and worker');
    this.isUp = true;
    return this.services();
  }

  async down({ now }: { readonly now: boolean }): Promise<readonly ServiceState[]> {
    this.calls.push(now ? 'down now' : 'down');
    this.isUp = false;
    return this.services();
  }

  async services(): Promise<readonly ServiceState[]> {
    const details = { temporal: '127.0.0.1:7233', gateway: `${this.home.root}/gateway.sock`, worker: 'anneal-queue' };
    return (['temporal', 'gateway', 'worker'] as const).map((name, index) => ({
      name,
      state: this.isUp ? 'running' : 'stopped',
      pid: this.isUp ? 4711 + index : null,
      detail: details[name],
    }));
  }

  async start({ id }: ExperimentLock): Promise<'started' | 'attached' | 'closed'> {
    this.calls.push(`start ${id}`);
    const attached = this.run === 'running';
    this.run = 'running';
    return attached ? 'attached' : 'started';
  }

  async pause({ id }: ExperimentLock): Promise<void> {
    this.calls.push(`pause ${id}`);
    this.paused = true;
  }

  async resume({ id }: ExperimentLock, lanes: number | undefined): Promise<void> {
    this.calls.push(`resume ${id} ${lanes ?? 'same lanes'}`);
    this.paused = false;
  }

  async setLanes({ id }: ExperimentLock, lanes: number): Promise<void> {
    this.calls.push(`lanes ${id} ${lanes}`);
    this.lanes = lanes;
  }

  async cancel({ id }: ExperimentLock): Promise<void> {
    this.calls.push(`cancel ${id}`);
  }

  async live(lock: ExperimentLock): Promise<LiveState | null> {
    if (this.run === null || !this.isUp) return null;
    const records = this.stages[Math.min(this.look, this.stages.length - 1)];
    if (records !== undefined) writeExperiment(this.home, lock, records);
    this.look += 1;
    const ended = this.look >= this.stages.length && this.stages.length > 0;
    const run = this.run === 'running' && ended ? 'completed' : this.run;
    return {
      run,
      phase: 'search',
      arm: run === 'running' ? 'ace' : null,
      paused: this.paused,
      lanes: this.lanes,
      trouble: null,
    };
  }

  /** Called when attempts are judged again: what then stands on record. */
  afterRejudge: (lock: ExperimentLock) => void = () => {};
  /** Called when an experiment is closed. */
  afterClose: (lock: ExperimentLock) => void = () => {};
  orphans: readonly LeftBehind[] = [];

  async rejudge(lock: ExperimentLock, attempts: readonly JudgeAgain[]): Promise<void> {
    this.calls.push(`rejudge ${lock.id} ${attempts.map(({ epoch, judgement }) => `#${epoch}/${judgement}`).join(' ')}`);
    this.afterRejudge(lock);
  }

  async closeExperiment(lock: ExperimentLock): Promise<void> {
    this.calls.push(`close experiment ${lock.id}`);
    this.afterClose(lock);
  }

  async recordExposure({ id }: ExperimentLock, { attempt, epoch, split }: Exposure): Promise<void> {
    this.calls.push(`exposure ${id} ${attempt.slice(0, 12)}#${epoch} ${split}`);
  }

  async leftBehind(): Promise<readonly LeftBehind[]> {
    return this.orphans;
  }

  async close(): Promise<void> {
    this.calls.push('close');
  }
}
