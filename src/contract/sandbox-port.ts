import type { AttemptDone, JudgeDone, SandboxProbe } from '../schema/sandbox-done.ts';
import type { AttemptSandboxInput, JailMount, JudgeSandboxInput } from '../schema/sandbox.ts';

/**
 * `adopted`: a living keeper already has this directory. `lost`: one had it and died without a result; the epoch
 * is over and the directory is never run again.
 */
export type SandboxStart =
  | { readonly kind: 'started' }
  | { readonly kind: 'adopted' }
  | { readonly kind: 'already-done' }
  | { readonly kind: 'lost'; readonly reason: string; readonly elapsedMs: number };

/**
 * `lost`: no result will come, by evidence of the host or the keeper alone; `elapsedMs` is how long it lived, to the
 * second, 0 when it never did.
 */
export type SandboxObservation<Done> =
  | { readonly kind: 'done'; readonly done: Done }
  | { readonly kind: 'lost'; readonly reason: string; readonly elapsedMs: number };

/** What a jail on this machine has to manage before an experiment may rely on it. */
export interface SandboxProbeRequest {
  /** Python environments and the like, mounted for the probe. */
  readonly mounts: readonly JailMount[];
  /** Paths inside the jail that must run, for example `/opt/solver/bin/python`. */
  readonly interpreters: readonly string[];
  /** Default `auto`. */
  readonly level?: 'auto' | 'full' | 'user';
}

/**
 * Sandboxes of one host. A state directory is one life: made by `start`, never mounted into a jail, read by anybody
 * when done. The sandbox needs nobody after its start and outlives whoever started it. Nothing here blocks the event loop.
 */
export interface SandboxPort {
  /** Runs one jailed command: what this machine offers, or why no jail can be made and what to do. 0.1 s. */
  probe(request: SandboxProbeRequest): Promise<SandboxProbe>;

  /** Key: the directory. Safe to repeat and to race; the directory is created. @throws when the sandbox is invalid. */
  start(stateDirectory: string, sandbox: AttemptSandboxInput | JudgeSandboxInput): Promise<SandboxStart>;

  /**
   * Waits for the end of an attempt that was started by anybody. Aborting stops the watching, not the sandbox.
   * `onAlive` is called at least once a second for as long as the sandbox is seen alive.
   * @throws the signal's reason when aborted.
   */
  observe(stateDirectory: string, signal: AbortSignal, onAlive?: () => void): Promise<SandboxObservation<AttemptDone>>;

  /** Ends the sandbox and everything in it, within about 1 s. Fine when it never ran or has ended. */
  stop(stateDirectory: string): Promise<void>;

  /** Starts or adopts a judge run and waits for its end; `reportText` is its `judge.json`, up to 4 MB, unread. */
  judge(
    stateDirectory: string,
    sandbox: JudgeSandboxInput,
    signal: AbortSignal,
  ): Promise<SandboxObservation<JudgeDone & { readonly reportText: string | null }>>;
}
