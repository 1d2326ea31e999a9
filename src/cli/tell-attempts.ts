import { AnnealError } from '../domain/errors.ts';
import type { AttemptStory, ToldAttempt } from '../report/attempt/attempt-story.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import { experimentDirectory } from '../services/data-home/experiment-directory.ts';
import type { CommandContext } from './context.ts';
import { findAttempts } from './find-attempts.ts';
import { readRecords } from '../services/data-home/read-records.ts';
import { tellAttempt } from './tell-attempt.ts';

/**
 * The stories of the attempts that a person means, from records, ledger and blobs. `recordOpening` is awaited before a
 * sealed one is told; without it sealed ones are refused.
 * @throws AnnealError ANL-1015 when none fits, ANL-1011 for sealed ones.
 */
export async function tellAttempts(
  { dependencies }: CommandContext,
  home: DataHome,
  lock: ExperimentLock,
  wanted: string,
  recordOpening: ((attempts: readonly ToldAttempt[]) => Promise<void>) | null,
): Promise<AttemptStory[]> {
  const records = readRecords(experimentDirectory(home, lock.id));
  const ledger = await dependencies.attemptLedger(home, lock);
  try {
    const next = `anneal watch ${lock.id}     or, put on record: anneal show ${wanted} --open-sealed`;
    const keys = (ledger?.epochs ?? []).map(({ attemptKey }) => attemptKey);
    const { attempts, epoch, sealed } = findAttempts(lock, records, keys, wanted, recordOpening !== null, next);
    if (sealed) await recordOpening?.(attempts);
    const stories: AttemptStory[] = [];
    for (const attempt of attempts) {
      stories.push(await tellAttempt(dependencies, home, lock, records, ledger, attempt, epoch));
    }
    const told = stories.filter(({ epochs }) => epochs.length > 0);
    if (told.length === 0) throw new AnnealError('ANL-1015', { attempt: wanted, experiment: lock.id });
    return told;
  } finally {
    ledger?.close();
  }
}
