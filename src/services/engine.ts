import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { DataHome } from './data-home.ts';
import type { Trouble } from './find-trouble.ts';

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
  /** Start what is missing and wait until it answers. Idempotent. Narrates through `report`. */
  up(report: (line: string) => void): Promise<readonly ServiceState[]>;
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
  close(): Promise<void>;
}

export interface LiveState {
  readonly run: 'running' | 'completed' | 'cancelled' | 'failed';
  readonly phase: string;
  readonly arm: string | null;
  readonly paused: boolean;
  readonly lanes: number;
  /** An effect that keeps failing, null when all goes well. */
  readonly trouble: Trouble | null;
}
