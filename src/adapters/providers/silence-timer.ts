/** Aborts a request when the other side has been silent for too long, or when `outer` aborts. */
export interface SilenceTimer {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  /** Something was heard. */
  readonly restart: () => void;
  readonly expired: () => boolean;
  readonly stop: () => void;
}

/** Begins to wait at once. To be stopped by whoever made it, else it holds on to `outer`. */
export function createSilenceTimer(silenceMs: number, outer: AbortSignal): SilenceTimer {
  const controller = new AbortController();
  let expired = false;
  const expire = (): void => {
    expired = true;
    controller.abort();
  };
  const timer = setTimeout(expire, silenceMs);
  const forward = (): void => controller.abort();
  if (outer.aborted) forward();
  outer.addEventListener('abort', forward, { once: true });
  return {
    controller,
    signal: controller.signal,
    restart: () => timer.refresh(),
    expired: () => expired,
    stop: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', forward);
    },
  };
}
