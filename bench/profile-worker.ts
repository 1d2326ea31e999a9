import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownTimes, type OwnTime } from './cpu-profile.ts';
import { writeStubExperiment } from './stub-experiment.ts';
import { runStubPass } from './stub-pass.ts';
import { withStubServices } from './stub-services.ts';

/** Where the worker's CPU time goes: milliseconds per attempt and owner of the code, largest first. Takes about a minute. */
export async function profileWorker(attempts = 200): Promise<readonly OwnTime[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anneal-profile-'));
  try {
    const file = writeStubExperiment(join(folder, 'pack'), { name: `profile-${process.pid}`, attempts, lanes: 1 });
    await withStubServices(async (home) => runStubPass(home, file), folder);
    return ownTimes(folder).map(({ owner, ms }) => ({ owner, ms: ms / attempts }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
