import { join } from 'node:path';
import type { ExperimentRecord } from '../../src/schema/record.ts';
import { readPidFile } from '../../src/services/processes/pid-file.ts';
import type { ServiceName } from '../../src/services/processes/service-specification.ts';
import type { WholeRun } from '../support/whole-run.ts';

/** Where an experiment is, by its records alone. */
type Stage = 'feedback' | 'selection' | 'final';

export interface Kill {
  readonly stage: Stage;
  readonly service: ServiceName;
}

const services: readonly ServiceName[] = ['worker', 'gateway', 'temporal'];
/** Least and most time between two kills, in ms. */
const gap = { least: 400, most: 2_600 };

/** What an experiment with these records does now; null before its first attempt and after its last. */
function stageOf(records: readonly ExperimentRecord[]): Stage | null {
  const phases = records.flatMap((record) =>
    record.kind === 'decision' && record.event === 'phase-started' ? [record.reason] : [],
  );
  if (phases.includes('report')) return null;
  if (phases.includes('final')) return 'final';
  if (!phases.includes('search')) return phases.includes('baseline') ? 'selection' : null;
  const candidates = records.filter(({ kind }) => kind === 'revision').length;
  const measured = records.filter(({ kind }) => kind === 'query').length;
  return candidates > measured ? 'selection' : 'feedback';
}

/** Kills services at moments that follow from a seed, at most `quota` times in each stage. */
export class Killer {
  readonly kills: Kill[] = [];
  private readonly run: WholeRun;
  private readonly quota: number;
  private state: number;
  private next = 0;

  constructor(run: WholeRun, seed: number, quota: number) {
    this.run = run;
    this.state = seed;
    this.quota = quota;
  }

  /** Perhaps kill one service now. */
  consider(records: readonly ExperimentRecord[]): void {
    const stage = stageOf(records);
    if (stage === null || Date.now() < this.next) return;
    const done = this.kills.filter((kill) => kill.stage === stage);
    if (done.length >= this.quota) return;
    const left = services.filter((name) => done.every(({ service }) => service !== name));
    const service = pick(left.length > 0 ? left : services, this.random());
    if (service === undefined || !this.kill(service)) return;
    this.kills.push({ stage, service });
    this.next = Date.now() + gap.least + this.random() * (gap.most - gap.least);
  }

  /** SIGKILL by pid file; false when it does not run at this moment. */
  kill(service: ServiceName | 'supervisor'): boolean {
    const found = readPidFile(join(this.run.home.run, `${service}.pid`));
    if (found === null) return false;
    process.kill(found.pid, 'SIGKILL');
    return true;
  }

  /** 0 to 1, the same sequence for the same seed (mulberry32). */
  private random(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

function pick<Item>(items: readonly Item[], share: number): Item | undefined {
  return items[Math.floor(share * items.length)];
}
