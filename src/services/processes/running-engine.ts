import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnnealError } from '../../domain/errors.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { engineVersion } from '../engine-version.ts';

/** Write down which version the running services are of: the one they were started with, whatever is installed since. */
export function stampEngine(home: DataHome, version: string): void {
  if (runningEngine(home) !== version) writeFileSync(markOf(home), `${version}\n`);
}

/**
 * Services of another version may not read what this one writes.
 * @throws AnnealError ANL-5007 when those that run are of another version.
 */
export function refuseOtherEngine(home: DataHome): void {
  const running = runningEngine(home);
  if (running === '' || running === engineVersion()) return;
  throw new AnnealError(
    'ANL-5007',
    { service: 'worker' },
    {
      why: `the services that run are of anneal ${running}, this is ${engineVersion()}`,
      next: 'anneal down && anneal up',
    },
  );
}

function runningEngine(home: DataHome): string {
  try {
    return readFileSync(markOf(home), 'utf8').trim();
  } catch {
    return '';
  }
}

function markOf(home: DataHome): string {
  return join(home.run, 'engine');
}
