import type { Delta } from '../contract/provider-port.ts';

/** Carries the pieces of one streamed reply from the provider to at most one reader; unread pieces are kept. */
export interface DeltaFeed extends AsyncIterable<Delta> {
  readonly push: (delta: Delta) => void;
  /** No more pieces will come. */
  readonly end: () => void;
  /** True when a piece was pushed: the reply can then not be begun again for this reader. */
  readonly begun: () => boolean;
}

/** An empty feed; a reader may come before or after the first piece. */
export function createDeltaFeed(): DeltaFeed {
  const kept: Delta[] = [];
  let begun = false;
  let ended = false;
  let wake: () => void = () => {};
  return {
    push: (delta) => {
      begun = true;
      kept.push(delta);
      wake();
    },
    end: () => {
      ended = true;
      wake();
    },
    begun: () => begun,
    [Symbol.asyncIterator]: async function* () {
      while (true) {
        const next = kept.shift();
        if (next !== undefined) yield next;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
