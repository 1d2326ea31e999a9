import type { CallRow } from '../../src/schema/call-row.ts';
import type { HarnessFiles } from '../../src/schema/harness.ts';
import type { AttemptRecord } from '../../src/schema/record.ts';
import { rewardOf } from '../../src/domain/outcome.ts';
import type { LabResult, WorldLab } from '../support/world-lab.ts';

/** The files of an experiment's best evolved revision. */
export function learntHarness(lab: WorldLab, { report }: LabResult): Promise<HarnessFiles> {
  const champion = report.arms.flatMap((arm) => arm.champions).find(({ label }) => label === 'bestEvolved');
  if (champion?.commit === undefined || champion.commit === null) throw new Error('nothing was learnt');
  return lab.harness(champion.commit);
}

/** The harness with other rules in its playbook. */
export function withPlaybook(files: HarnessFiles, change: (playbook: string) => string): HarnessFiles {
  const playbook = change(new TextDecoder().decode(files['playbook.md']));
  return { ...files, 'playbook.md': new TextEncoder().encode(playbook) };
}

/** The playbook with every rule replaced by one of the same length that says nothing. */
export function irrelevantRules(playbook: string): string {
  return playbook.replaceAll(/(?<= :: ).+$/gm, (rule) => rule.split('').toReversed().join(''));
}

/** Reward and run class of one revision on each task of selection and finals, in task order. */
export function scoresOf({ records }: LabResult, revision: string): string[] {
  return attemptsOf(records, revision).map(
    ({ task, outcome }) => `${task} ${rewardOf(outcome)} ${outcome.kind === 'scored' ? '' : outcome.kind}`,
  );
}

/** Digest of every request of one revision on selection and finals, by task and call. */
export function requestsOf({ records }: LabResult, calls: readonly CallRow[], revision: string): string[] {
  return attemptsOf(records, revision).flatMap(({ task, key }) =>
    calls
      .filter(({ attemptKey }) => attemptKey === key)
      .toSorted((one, other) => one.call - other.call)
      .map(({ call, requestHash }) => `${task} ${call} ${requestHash}`),
  );
}

/** Tokens that one revision's attempts on selection and finals took. */
export function tokensOf({ records }: LabResult, revision: string): number {
  return attemptsOf(records, revision).reduce((sum, { usage }) => sum + usage.tokensReported, 0);
}

function attemptsOf(records: LabResult['records'], revision: string): AttemptRecord[] {
  return records
    .filter((record) => record.kind === 'attempt')
    .filter((record) => record.revision === revision && record.split !== 'feedback')
    .toSorted((one, other) => (one.task < other.task ? -1 : 1));
}
