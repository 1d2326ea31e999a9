import { canonicalAttempts } from '../src/domain/canonical-attempts.ts';
import type { LintedTask } from '../src/domain/leak-terms.ts';
import type { ExperimentId } from '../src/schema/ids.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { judgedReport } from './judged-report.ts';
import type { RecordStore } from './record-store.ts';

/** What the leak lint needs of the feedback tasks that were judged so far; feedback texts only. */
export async function feedbackLintTasks(
  { experiments, blobs }: ActivityDependencies,
  records: RecordStore,
  experimentId: ExperimentId,
): Promise<LintedTask[]> {
  const linted = new Map<string, LintedTask>();
  for (const attempt of canonicalAttempts(await records.all(experimentId)).all) {
    if (attempt.split !== 'feedback' || linted.has(attempt.task)) continue;
    const report = await judgedReport(blobs, attempt);
    if (report === null) continue;
    const task = await experiments.task(experimentId, attempt.task);
    linted.set(attempt.task, {
      taskId: attempt.task,
      fileNames: [...task.inputNames, ...task.locked.deliverables],
      criteria: report.criteria.map(({ text, expected }) => ({ text, expected })),
    });
  }
  return [...linted.values()];
}
