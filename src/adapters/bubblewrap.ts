import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxObservation, SandboxPort, SandboxProbeRequest, SandboxStart } from '../contract/sandbox-port.ts';
import type { AttemptDone, DoneFile, JudgeDone, SandboxProbe } from '../schema/sandbox-done.ts';
import {
  AttemptSandbox,
  type AttemptSandboxInput,
  JudgeSandbox,
  type JudgeSandboxInput,
  type KeeperSpec,
} from '../schema/sandbox.ts';
import { readCapped, readKeeperFiles } from './bubblewrap/keeper-files.ts';
import { isKeeperAlive, signalKeeper } from './bubblewrap/keeper-process.ts';
import { KeeperNursery } from './bubblewrap/keeper-nursery.ts';
import type { KeeperProgram } from './bubblewrap/keeper-program.ts';
import { launchKeeper } from './bubblewrap/launch-keeper.ts';
import { probeSandbox } from './bubblewrap/probe-sandbox.ts';
import { cutKeeper, endOfDeadKeeper, type KeeperEnd, watchKeeper } from './bubblewrap/watch-keeper.ts';

/** Of the package, seen from the sources or from `dist`: the Python files ship as sources. */
const packageFolder =
  ['../..', '../../..']
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((place) => existsSync(join(place, 'src/keeper/keeper.py'))) ?? '/';
const reportBytes = 4 << 20;
const graceMs = 5_000;
const startMs = 1_000;
const pollMs = 20;

/** What this host and this data home lend to every sandbox. */
export interface BubblewrapOptions extends Omit<KeeperProgram, 'keeperDirectory'> {
  /** The `bwrap` program, 0.8 or newer. */
  readonly bubblewrap: string;
  /** Short folder that every uid may pass through, outside private homes; made when absent, one per data home. */
  readonly stagingRoot: string;
  /** First host uid of the jails at level `full`, four for each slot; default 2,000,000. */
  readonly uidBase?: number;
  /**
   * Folders that jails see empty where they lie below /usr, which every jail sees; default the package itself, whose
   * tasks and judges a global installation would put there.
   */
  readonly hidden?: readonly string[];
  /** Folder that holds `keeper.py`; default the package's own. */
  readonly keeperDirectory?: string;
}

/** The sandbox port on bubblewrap: one detached keeper per state directory, see `src/keeper`. */
export class BubblewrapSandbox implements SandboxPort {
  readonly #options: BubblewrapOptions;
  readonly #program: KeeperProgram;
  readonly #nursery: KeeperNursery;

  constructor(options: BubblewrapOptions) {
    this.#options = options;
    this.#program = { ...options, keeperDirectory: options.keeperDirectory ?? join(packageFolder, 'src/keeper') };
    this.#nursery = new KeeperNursery(this.#program);
  }

  probe(request: SandboxProbeRequest): Promise<SandboxProbe> {
    return probeSandbox(this.#program, { level: 'auto', ...request, ...this.#driverFields(0) });
  }

  async start(stateDirectory: string, sandbox: AttemptSandboxInput | JudgeSandboxInput): Promise<SandboxStart> {
    const parsed = sandbox.mode === 'attempt' ? AttemptSandbox.parse(sandbox) : JudgeSandbox.parse(sandbox);
    const { done, identity, isCut } = await readKeeperFiles(stateDirectory);
    if (done !== null) return { kind: 'already-done' };
    if (isCut) return cutKeeper;
    if (identity !== null) {
      if (await isKeeperAlive(identity)) return { kind: 'adopted' };
      const end = await endOfDeadKeeper(stateDirectory, identity);
      return end.kind === 'lost' ? end : { kind: 'already-done' };
    }
    const specification: KeeperSpec = { ...parsed, ...this.#driverFields(parsed.slot) };
    await launchKeeper(this.#program, this.#nursery, stateDirectory, specification);
    return { kind: 'started' };
  }

  async observe(
    stateDirectory: string,
    signal: AbortSignal,
    onAlive?: () => void,
  ): Promise<SandboxObservation<AttemptDone>> {
    return resultOf(await watchKeeper(stateDirectory, signal, onAlive), 'attempt');
  }

  async stop(stateDirectory: string): Promise<void> {
    const identity = await this.#keeperOf(stateDirectory);
    if (identity === null) return;
    await signalKeeper(identity, 'SIGTERM');
    for (const last = Date.now() + graceMs; await isKeeperAlive(identity); await sleep(pollMs)) {
      if (Date.now() > last) await signalKeeper(identity, 'SIGKILL');
    }
  }

  async judge(
    stateDirectory: string,
    sandbox: JudgeSandboxInput,
    signal: AbortSignal,
  ): Promise<SandboxObservation<JudgeDone & { readonly reportText: string | null }>> {
    const started = await this.start(stateDirectory, sandbox);
    if (started.kind === 'lost') return started;
    const result = resultOf(await watchKeeper(stateDirectory, signal), 'judge');
    if (result.kind === 'lost') return result;
    const reportText = await readCapped(join(stateDirectory, 'out', 'verifier', 'judge.json'), reportBytes);
    return { kind: 'done', done: { ...result.done, reportText } };
  }

  #driverFields(slot: number) {
    const { bubblewrap, stagingRoot, uidBase = 2_000_000, hidden = [packageFolder] } = this.#options;
    return { version: 1 as const, bubblewrap, stagingRoot, uids: { base: uidBase, slot }, hidden: [...hidden] };
  }

  /** A keeper that was started a moment ago may not have announced itself yet. */
  async #keeperOf(stateDirectory: string) {
    const last = existsSync(join(stateDirectory, 'spec.json')) ? Date.now() + startMs : 0;
    while (true) {
      const { identity } = await readKeeperFiles(stateDirectory);
      if (identity !== null || Date.now() > last) return identity;
      await sleep(pollMs);
    }
  }
}

function resultOf<Mode extends 'attempt' | 'judge'>(
  end: KeeperEnd,
  mode: Mode,
): SandboxObservation<Extract<DoneFile, { readonly mode: Mode; readonly end: unknown }>> {
  if (end.kind === 'lost') return end;
  if ('fault' in end.done) return { kind: 'lost', reason: `keeper: ${end.done.fault}`, elapsedMs: end.done.elapsedMs };
  if (!isOfMode(end.done, mode)) {
    return { kind: 'lost', reason: `the directory holds a run of mode ${end.done.mode}`, elapsedMs: 0 };
  }
  return { kind: 'done', done: end.done };
}

function isOfMode<Mode extends 'attempt' | 'judge'>(
  done: DoneFile,
  mode: Mode,
): done is Extract<DoneFile, { readonly mode: Mode; readonly end: unknown }> {
  return done.mode === mode && 'end' in done;
}
