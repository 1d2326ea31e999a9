import { attemptStory, type AttemptStory, type EpochTexts, type ToldAttempt } from '../report/attempt/attempt-story.ts';
import type { CallRow } from '../schema/call-row.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import { JudgeReport } from '../schema/judgement.ts';
import type { ExperimentRecord } from '../schema/record.ts';
import type { DataHome } from '../services/data-home/data-home.ts';
import type { AttemptLedger, Dependencies } from './dependencies.ts';
import { loggedCommands } from './logged-commands.ts';

/** The story of one attempt, its texts read from their blobs; one epoch of it where a number is given. */
export async function tellAttempt(
  dependencies: Dependencies,
  home: DataHome,
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  ledger: AttemptLedger | null,
  attempt: ToldAttempt,
  epoch: number | null,
): Promise<AttemptStory> {
  const texts = new Map<number, EpochTexts>();
  for (const record of records) {
    if (record.kind !== 'attempt' || record.key !== attempt.key) continue;
    const read = async (digest: string | undefined): Promise<string> =>
      digest === undefined ? '' : (await dependencies.readBlob(home, digest)).toString('utf8').trimEnd();
    const reports = new Map<number, JudgeReport>();
    const later = records.flatMap((other) =>
      other.kind === 'judgement' && other.key === record.key && other.epoch === record.epoch
        ? [{ number: other.judgement, digest: other.blobs['judge'] }]
        : [],
    );
    for (const { number, digest } of [{ number: 1, digest: record.blobs['judge'] }, ...later]) {
      const text = await read(digest);
      if (text !== '') reports.set(number, JudgeReport.parse(JSON.parse(text)));
    }
    texts.set(record.epoch, {
      commands: loggedCommands(await read(record.blobs['commands'])),
      harnessLog: (await read(record.blobs['harnessLog'])).split('\n').filter(Boolean),
      reports,
    });
  }
  const calls: readonly CallRow[] = ledger?.callsOf(attempt.key) ?? [];
  const story = attemptStory(attempt, { lock, records, epochs: ledger?.epochs ?? [], calls, texts });
  return epoch === null ? story : { ...story, epochs: story.epochs.filter((each) => each.epoch === epoch) };
}
