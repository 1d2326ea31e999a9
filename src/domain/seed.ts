import type { TaskId } from '../schema/ids.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256Of } from './sha256.ts';

/** A seed in [0, 2^31) that depends on every part and on their order. */
export function seedOf(...parts: readonly (string | number)[]): number {
  return Number.parseInt(sha256Of(canonicalJson(parts)).slice(0, 8), 16) & 0x7fffffff;
}

/** The seed of an attempt: the same for H0 and every candidate, so that pairs differ by the revision alone. */
export function attemptSeed(experimentSeed: number, taskId: TaskId, replicate: number): number {
  return seedOf('attempt', experimentSeed, taskId, replicate);
}
