import { isAnnealError } from '../domain/errors.ts';
import type { Status } from '../report/status/status.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { Engine } from '../services/engine.ts';
import { firstScreen, pressKey, type Screen, type Wish } from './press-key.ts';
import type { Key, Keyboard } from './terminal.ts';

/** Who is asked when a key is pressed while an experiment is followed. */
export interface WatchKeysParameters {
  readonly keyboard: Keyboard;
  readonly engine: Engine;
  readonly lock: ExperimentLock;
  /** Draw anew what was seen last. */
  readonly redraw: () => void;
  /** Leave, as Ctrl-C does. */
  readonly leave: () => void;
}

/** The keys of a followed experiment: what they change on screen, and what they ask of the engine. */
export class WatchKeys {
  screen: Screen = firstScreen;
  /** What was seen last; keys pressed before the first look do nothing. */
  status: Status | null = null;
  private readonly parameters: WatchKeysParameters;
  private readonly stopListening: () => void;
  private sleep = new AbortController();

  constructor(parameters: WatchKeysParameters) {
    this.parameters = parameters;
    this.stopListening = parameters.keyboard.listen((key) => this.press(key));
  }

  /** Aborts when something was done of which a new look tells; a new signal for each sleep. */
  wake(): AbortSignal {
    this.sleep = new AbortController();
    return this.sleep.signal;
  }

  /** Give the terminal back. */
  end(): void {
    this.stopListening();
  }

  private press(key: Key): void {
    if (this.status === null) return;
    const { screen, wish } = pressKey(this.screen, key, this.status);
    this.screen = screen;
    void this.grant(wish);
    this.parameters.redraw();
  }

  private async grant(wish: Wish): Promise<void> {
    const { engine, lock, leave } = this.parameters;
    switch (wish.kind) {
      case 'none':
        return;
      case 'leave':
        leave();
        return;
      case 'pause':
        return this.steer('pausing: attempts in flight finish, nothing new starts', () => engine.pause(lock));
      case 'resume':
        return this.steer('resuming', () => engine.resume(lock, undefined));
      case 'lanes':
        return this.steer(`lanes set to ${wish.lanes}`, () => engine.setLanes(lock, wish.lanes));
    }
  }

  /** A wish that cannot be granted is told on the screen; following goes on. */
  private async steer(notice: string, action: () => Promise<void>): Promise<void> {
    this.tell(notice);
    try {
      await action();
      this.tell('');
    } catch (error) {
      const reason = isAnnealError(error) || error instanceof Error ? error.message : String(error);
      this.tell(`not done: ${reason}`);
      this.parameters.redraw();
    }
    this.sleep.abort();
  }

  private tell(notice: string): void {
    this.screen = { ...this.screen, notice };
  }
}
