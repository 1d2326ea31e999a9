import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { DataHome } from './data-home/data-home.ts';
import type { JudgeAgain } from '../contract/activities.ts';
import type { Exposure } from './data-home/record-exposure.ts';
import type { Trouble } from './temporal/find-trouble.ts';
import type { LeftBehind } from './processes/left-behind.ts';

/** State of one background service. */
export interface ServiceState {
  readonly name: 'temporal' | 'gateway' | 'worker';
  readonly state: 'running' | 'starting' | 'stopped' | 'external';
  readonly pid: number | null;
  readonly detail: string;
}

/** What a person's commands ask of the engine; implemented over processes and a Temporal client, faked in tests. */
export interface Engine {
  readonly home: DataHome;
  /**
   * Start what is missing and wait until it answers. Idempotent. Narrates through `report`. With `lock`, services that were
   * started with other values of the experiment's key variables than the present environment has are started anew.
   */
  up(report: (line: string) => void, lock?: ExperimentLock): Promise<readonly ServiceState[]>;
  /** Stop what `up` started and nothing else. With `now`, keepers of attempts in flight are stopped too, to go on as the next epoch. */
  down(options: { readonly now: boolean }, report: (line: string) => void): Promise<readonly ServiceState[]>;
  services(): Promise<readonly ServiceState[]>;
  /** Start the experiment's workflow, or attach to the running one. A closed one is left as it is. */
  start(lock: ExperimentLock): Promise<'started' | 'attached' | 'closed'>;
  pause(lock: ExperimentLock): Promise<void>;
  resume(lock: ExperimentLock, lanes: number | undefined): Promise<void>;
  /** Attempts in flight from now on; a paused experiment stays paused. */
  setLanes(lock: ExperimentLock, lanes: number): Promise<void>;
  cancel(lock: ExperimentLock): Promise<void>;
  /** Live state of the workflow, null when it cannot be asked. */
  live(lock: ExperimentLock): Promise<LiveState | null>;
  /**
   * Judge attempts again whose judge failed, from what they left; waits for the end. Needs the services.
   * @throws AnnealError ANL-2004 with other judges or tasks than the frozen ones, ANL-1011 while that runs already.
   */
  rejudge(lock: ExperimentLock, attempts: readonly JudgeAgain[]): Promise<void>;
  /**
   * Close an experiment that does not go on: ends what it left running, opens what was sealed, writes its report. A closed
   * one is left as it is. Needs the services. @throws AnnealError ANL-1011 while it runs.
   */
  closeExperiment(lock: ExperimentLock): Promise<void>;
  /** Put on record that a person opened a sealed record before the experiment was closed. Needs the gateway. */
  recordExposure(lock: ExperimentLock, exposure: Exposure): Promise<void>;
  /** Keepers that run for nobody; empty also where that cannot be told. */
  leftBehind(): Promise<readonly LeftBehind[]>;
  close(): Promise<void>;
}

/** What the workflow says of itself; `arm` is null outside a search. */
export interface LiveState {
  readonly run: 'running' | 'completed' | 'cancelled' | 'failed';
  readonly phase: string;
  readonly arm: string | null;
  readonly paused: boolean;
  readonly lanes: number;
  /** An effect that keeps failing, null when all goes well. */
  readonly trouble: Trouble | null;
}
