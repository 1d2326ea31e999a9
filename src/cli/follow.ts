import { AnnealError } from '../domain/errors.ts';
import { narrateProgress } from '../report/status/narrate-progress.ts';
import { renderStatus } from '../report/status/render-status.ts';
import type { Status } from '../report/status/status.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { Engine } from '../services/engine.ts';
import type { CommandContext } from './context.ts';
import { firstScreen } from './press-key.ts';
import { readStatus, type Look } from './read-status.ts';
import { renderKeys } from './render-keys.ts';
import { WatchKeys, type WatchKeysParameters } from './watch-keys.ts';

const liveIntervalMs = 1_000;
const plainIntervalMs = 2_000;
/** Looking may take this share of the time at most, so that long records do not keep a core busy. */
const shareOfTime = 0.1;
/** How long services may be away before a person is asked for: the supervisor brings back what dies. */
const graceMs = 15_000;
/** How long services may be away at all. */
const patienceMs = 120_000;
/** How long workflow and records may disagree about the end: the report is written last. */
const closingMs = 20_000;

/** How long an experiment may be held before a command without a terminal ends. */
const holdMs = 10_000;

/** How following ended. Detached: a person left, the experiment goes on. */
export type Followed = 'closed' | 'detached';

/** When something was last seen, in milliseconds since 1970. */
interface Seen {
  /** The workflow answered. */
  answered: number;
  /** It answered and every service ran. */
  allUp: number;
  /** Workflow and records agreed on whether the experiment goes on. */
  agreed: number;
  /** Nothing was waited for but the experiment itself. */
  free: number;
}

/**
 * Show an experiment until it is closed or a person leaves: redrawn in place on a terminal, else a line per change.
 * @throws AnnealError what it waits for, where standard error is no terminal: a halted model, coverage below a floor.
 * @throws AnnealError ANL-6009 when its workflow failed, ANL-5002 when no service runs at the first look, or nothing answered
 * for two minutes after it.
 */
export async function follow(context: CommandContext, engine: Engine, lock: ExperimentLock): Promise<Followed> {
  const { terminal, dependencies } = context;
  const { clock, sleep } = dependencies;
  const seen: Seen = { answered: clock(), allUp: clock(), agreed: clock(), free: clock() };
  let before: Status | null = null;
  return dependencies.interruptible(async (signal, interrupt) => {
    const redraw = (): void => {
      if (before !== null) draw(context, before, keys);
    };
    const keys = openKeys(context, { engine, lock, redraw, leave: interrupt });
    try {
      while (!signal.aborted) {
        const began = clock();
        const look = await readStatus(context, engine, lock);
        if (before === null) refuseAbsence(look);
        note(seen, look, clock());
        const status: Status = clock() - seen.allUp < graceMs ? overlookOutage(before, look.status) : look.status;
        if (keys !== null) keys.status = status;
        show(context, before, status, keys);
        before = status;
        if (terminal.live === null) leaveHeld(look, seen, clock());
        if (isOver(look, seen, clock())) return 'closed';
        const interval = terminal.live === null ? plainIntervalMs : liveIntervalMs;
        const woken = keys === null ? signal : AbortSignal.any([signal, keys.wake()]);
        await sleep(Math.max(interval, (clock() - began) / shareOfTime), woken);
      }
      return 'detached';
    } finally {
      keys?.end();
      terminal.live?.end();
    }
  });
}

/** Services that died come back; those that nobody started do not. */
function refuseAbsence({ status, live, services }: Look): void {
  if (live !== null || isClosed(status) || services.some(({ state }) => state !== 'stopped')) return;
  throw new AnnealError('ANL-5002', {}, { why: `${services.map(({ name }) => name).join(', ')} not running` });
}

/** Where nobody watches there is nobody to mend it: told with an exit code of its own. The experiment stays as it is. */
function leaveHeld({ holds }: Look, seen: Seen, now: number): void {
  const [hold] = holds;
  if (hold !== undefined && now - seen.free > holdMs) throw hold;
}

function note(seen: Seen, { live, holds, services, status }: Look, now: number): void {
  if (holds.length === 0) seen.free = now;
  if (live === null) return;
  seen.answered = now;
  if (services.every(({ state }) => state !== 'stopped')) seen.allUp = now;
  if ((live.run === 'running') !== isClosed(status)) seen.agreed = now;
}

function isOver({ status, live, services, trouble }: Look, seen: Seen, now: number): boolean {
  const disagreeing = now - seen.agreed > closingMs;
  if (isClosed(status)) return live?.run !== 'running' || disagreeing;
  if (live !== null && live.run !== 'running' && (live.run === 'failed' || disagreeing)) {
    const state = `the workflow of ${status.experiment} ${live.run === 'failed' ? 'failed' : 'ended without a report'}`;
    throw new AnnealError('ANL-6009', { state }, { next: 'anneal logs worker' });
  }
  if (now - seen.answered <= patienceMs) return false;
  const down = services.filter(({ state }) => state === 'stopped').map(({ name }) => name);
  const what = down.length === 0 ? 'its workflow does not answer' : `${down.join(', ')} not running`;
  const reason = trouble instanceof Error ? `: ${trouble.message}` : '';
  throw new AnnealError('ANL-5002', {}, { why: `${what} for two minutes${reason}`, cause: trouble });
}

/** A look during a short outage: as before it, and nobody is asked for. */
function overlookOutage(before: Status | null, status: Status): Status {
  const needs = status.needs.filter(({ command }) => command !== 'anneal up');
  return status.state === 'stopped' && before !== null
    ? { ...status, state: before.state, arm: before.arm, needs: before.needs }
    : { ...status, needs };
}

function openKeys({ terminal }: CommandContext, parameters: Omit<WatchKeysParameters, 'keyboard'>): WatchKeys | null {
  const { live, keyboard } = terminal;
  return live === null || keyboard === null ? null : new WatchKeys({ ...parameters, keyboard });
}

function show(context: CommandContext, before: Status | null, status: Status, keys: WatchKeys | null): void {
  if (context.terminal.live !== null) return draw(context, status, keys);
  for (const line of narrateProgress(before, status)) context.terminal.narrate(line);
}

function draw({ terminal }: CommandContext, status: Status, keys: WatchKeys | null): void {
  const { columns, narrationPalette: palette } = terminal;
  const { allAttempts, mode } = keys?.screen ?? firstScreen;
  const view = { all: allAttempts, attempt: mode.kind === 'attempt' ? mode.attempt : null };
  const screen = renderStatus(status, { columns, palette }, view);
  const closing =
    keys === null ? ` ${palette.dim('^C leaves it running')}` : renderKeys(keys.screen, status, columns, palette);
  terminal.live?.draw(isClosed(status) ? screen : `${screen}\n${closing}`);
}

function isClosed({ state }: Status): boolean {
  return state === 'complete' || state === 'cancelled';
}
