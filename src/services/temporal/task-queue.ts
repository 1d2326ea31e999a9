import { basename } from 'node:path';
import type { DataHome } from '../data-home/data-home.ts';

/** Task queue of one data home, so that several may share a Temporal server. */
export function taskQueueOf(home: DataHome): string {
  return basename(home.staging);
}
