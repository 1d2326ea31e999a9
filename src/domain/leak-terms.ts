import type { LeakTerms } from '../schema/evidence.ts';
import type { JudgeReport } from '../schema/judgement.ts';
import type { TaskId } from '../schema/ids.ts';
import { codeUnitOrder } from './code-unit-order.ts';

/** One feedback task as the lint needs it: names of input and output files, and what its judge asks. */
export interface LintedTask {
  readonly taskId: TaskId;
  readonly fileNames: readonly string[];
  readonly criteria: readonly Pick<JudgeReport['criteria'][number], 'text' | 'expected'>[];
}

/** The lint's terms over the feedback tasks, sorted, without repeats. Sealed: it holds expected values. */
export function leakTermsOf(tasks: readonly LintedTask[]): LeakTerms {
  const criteria = tasks.flatMap((task) => task.criteria);
  return {
    taskIds: distinct(tasks.map(({ taskId }) => taskId)),
    fileNames: distinct(tasks.flatMap(({ fileNames }) => fileNames)),
    referenceValues: distinct(criteria.flatMap(({ expected }) => (expected === null ? [] : [expected]))),
    rubricSentences: distinct(criteria.map(({ text }) => text)),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted(codeUnitOrder);
}
