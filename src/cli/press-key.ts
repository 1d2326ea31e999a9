import type { InFlight, Status } from '../report/status/status.ts';
import { isLaneCount, laneRange } from './options.ts';
import type { Key } from './terminal.ts';

/** What a person looks at and types while an experiment is followed. */
export interface Screen {
  /** Every attempt in flight instead of the first few. */
  readonly allAttempts: boolean;
  readonly mode:
    | { readonly kind: 'watching' }
    /** Asked for a number of lanes; what was typed so far. */
    | { readonly kind: 'lanes'; readonly digits: string }
    /** One attempt in flight is shown; its key and epoch. */
    | { readonly kind: 'attempt'; readonly attempt: string };
  /** What came of the last key; empty when nothing is to be told. */
  readonly notice: string;
}

/** What a key asks of the engine. */
export type Wish =
  | { readonly kind: 'none' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'lanes'; readonly lanes: number }
  /** Stop looking; the experiment goes on. */
  | { readonly kind: 'leave' };

/** What stands on the screen after a key, and what the engine is asked for. */
export interface Pressed {
  readonly screen: Screen;
  readonly wish: Wish;
}

/** What is shown before any key. */
export const firstScreen: Screen = { allAttempts: false, mode: { kind: 'watching' }, notice: '' };

/** What a key does on a screen that shows `status`. Keys without a meaning do nothing. */
export function pressKey(screen: Screen, key: Key, status: Status): Pressed {
  if (key.ctrl) return { screen, wish: { kind: 'none' } };
  const { mode } = screen;
  switch (mode.kind) {
    case 'watching':
      return pressWatching({ ...screen, notice: '' }, key, status);
    case 'lanes':
      return pressLanes(screen, mode.digits, key);
    case 'attempt':
      return pressAttempt(screen, mode.attempt, key, status);
  }
}

function pressWatching(screen: Screen, { name }: Key, status: Status): Pressed {
  switch (name) {
    case 'p':
      return { screen, wish: { kind: status.state === 'paused' ? 'resume' : 'pause' } };
    case 'l':
      return shown({ ...screen, mode: { kind: 'lanes', digits: '' } });
    case 'a':
      return shown({ ...screen, allAttempts: !screen.allAttempts });
    case 'return':
    case 'enter':
      return chosen(screen, status.inFlight[0]);
    case 'q':
      return { screen, wish: { kind: 'leave' } };
    default:
      return shown(screen);
  }
}

function pressLanes(screen: Screen, digits: string, { name }: Key): Pressed {
  const watching: Screen = { ...screen, mode: { kind: 'watching' }, notice: '' };
  if (/^\d$/.test(name)) return shown({ ...screen, notice: '', mode: { kind: 'lanes', digits: `${digits}${name}` } });
  switch (name) {
    case 'backspace':
      return shown({ ...screen, notice: '', mode: { kind: 'lanes', digits: digits.slice(0, -1) } });
    case 'return':
    case 'enter':
      if (digits === '') return shown(watching);
      return isLaneCount(Number(digits))
        ? { screen: watching, wish: { kind: 'lanes', lanes: Number(digits) } }
        : shown({ ...screen, mode: { kind: 'lanes', digits: '' }, notice: `${digits} lanes: ${laneRange}` });
    case 'escape':
    case 'q':
      return shown(watching);
    default:
      return shown(screen);
  }
}

function pressAttempt(screen: Screen, attempt: string, { name }: Key, { inFlight }: Status): Pressed {
  const at = inFlight.findIndex((each) => attemptName(each) === attempt);
  switch (name) {
    case 'down':
    case 'right':
    case 'n':
      return chosen(screen, inFlight[(at + 1) % inFlight.length]);
    case 'up':
    case 'left':
      return chosen(screen, inFlight.at(at <= 0 ? -1 : at - 1));
    case 'return':
    case 'enter':
    case 'escape':
      return shown({ ...screen, mode: { kind: 'watching' }, notice: '' });
    case 'q':
      return { screen, wish: { kind: 'leave' } };
    default:
      return shown(screen);
  }
}

function chosen(screen: Screen, attempt: InFlight | undefined): Pressed {
  return attempt === undefined
    ? shown({ ...screen, mode: { kind: 'watching' }, notice: 'no attempt is in flight' })
    : shown({ ...screen, mode: { kind: 'attempt', attempt: attemptName(attempt) }, notice: '' });
}

function shown(screen: Screen): Pressed {
  return { screen, wish: { kind: 'none' } };
}

/** How a chosen attempt is remembered while others come and go: `<key>#<epoch>`. */
export function attemptName({ attempt, epoch }: Pick<InFlight, 'attempt' | 'epoch'>): string {
  return `${attempt}#${epoch}`;
}
