import { AnnealError } from '../domain/errors.ts';
import { narrateProgress } from '../report/narrate-progress.ts';
import { renderStatus } from '../report/render-status.ts';
import type { Status } from '../report/status.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { Engine } from '../services/engine.ts';
import type { CommandContext } from './context.ts';
import { readStatus, type Look } from './read-status.ts';

const liveIntervalMs = 1_000;
const plainIntervalMs = 2_000;
/** Looking may take this share of the time at most, so that long records do not keep a core busy. */
const shareOfTime = 0.1;
/** How long services may be away: the supervisor brings them back within 30 s. */
const patienceMs = 120_000;
/** How long a closed experiment's workflow may still write its report. */
const closingMs = 20_000;

/** How following ended. Detached: a person left, the experiment goes on. */
export type Followed = 'closed' | 'detached';

/**
 * Show an experiment until it is closed or a person leaves: redrawn in place on a terminal, else a line per change.
 * @throws AnnealError ANL-6009 when its workflow failed, ANL-5002 when nothing answered for two minutes.
 */
export async function follow(context: CommandContext, engine: Engine, lock: ExperimentLock): Promise<Followed> {
  const { terminal, dependencies } = context;
  const { clock, sleep } = dependencies;
  return dependencies.interruptible(async (signal) => {
    let before: Status | null = null;
    let answered = clock();
    let closedAt: number | null = null;
    while (!signal.aborted) {
      const began = clock();
      const look = await readStatus(context, engine, lock);
      show(context, before, look.status);
      before = look.status;
      if (look.live !== null) answered = clock();
      if (isClosed(look.status)) {
        closedAt ??= clock();
        if (look.live?.run !== 'running' || clock() - closedAt > closingMs) {
          terminal.live?.end();
          return 'closed';
        }
      } else if (look.live?.run === 'failed') {
        terminal.live?.end();
        throw new AnnealError(
          'ANL-6009',
          { state: `the workflow of ${lock.id} failed` },
          { next: 'anneal logs worker' },
        );
      } else if (clock() - answered > patienceMs) {
        terminal.live?.end();
        throw unanswered(look);
      }
      const interval = terminal.live === null ? plainIntervalMs : liveIntervalMs;
      await sleep(Math.max(interval, (clock() - began) / shareOfTime), signal);
    }
    terminal.live?.end();
    return 'detached';
  });
}

function show({ terminal }: CommandContext, before: Status | null, status: Status): void {
  if (terminal.live === null) {
    for (const line of narrateProgress(before, status)) terminal.narrate(line);
    return;
  }
  const { narrationPalette } = terminal;
  const closing = isClosed(status) ? '' : `\n ${narrationPalette.dim('^C leaves it running')}`;
  terminal.live.draw(`${renderStatus(status, { columns: terminal.columns, palette: narrationPalette })}${closing}`);
}

function isClosed({ state }: Status): boolean {
  return state === 'complete' || state === 'cancelled';
}

function unanswered({ services }: Look): AnnealError {
  const down = services.filter(({ state }) => state === 'stopped').map(({ name }) => name);
  const why = down.length === 0 ? 'its workflow does not answer' : `${down.join(', ')} not running for two minutes`;
  return new AnnealError('ANL-5002', {}, { why });
}
