import type { AttemptRequest } from '../src/contract/activities.ts';
import type { AttemptKey } from '../src/schema/ids.ts';

/** One epoch of an attempt. */
export interface AttemptEpoch extends AttemptRequest {
  readonly key: AttemptKey;
  readonly epoch: number;
}
