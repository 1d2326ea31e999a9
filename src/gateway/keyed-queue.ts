/** Runs works of one key one after the other, works of different keys side by side. A failed work does not stop the next. */
export type KeyedQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** A queue without works; a key is forgotten once its last work is done. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const before = last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const done = result.catch(() => {});
    last.set(key, done);
    try {
      return await result;
    } finally {
      if (last.get(key) === done) last.delete(key);
    }
  };
}
