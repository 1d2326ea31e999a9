import type { ExperimentPlan, PlannedTask, Revision } from '../../src/contract/activities.ts';
import { sha256Of } from '../../src/domain/sha256.ts';
import type { Arm } from '../../src/schema/experiment-config.ts';
import { ArmName, CommitHash, ExperimentId, HarnessDigest, TaskId } from '../../src/schema/ids.ts';
import type { Modality, Split } from '../../src/schema/splits.ts';

const modalities: readonly Modality[] = ['presentation', 'document', 'spreadsheet'];

/** A revision whose digests follow from its number. */
export function revision(candidate: number): Revision {
  const digest = HarnessDigest.parse(sha256Of(`revision ${candidate}`));
  return { candidate, commit: CommitHash.parse(digest.slice(0, 40)), digest };
}

/** `count` tasks of a split, of each modality in turn. */
export function plannedTasks(split: Split, count: number): PlannedTask[] {
  return Array.from({ length: count }, (_, index) => ({
    id: TaskId.parse(`desk/${split}-${index + 1}`),
    split,
    modality: split === 'final-cross-office' ? 'cross-office' : (modalities[index % 3] ?? 'document'),
    leakageGroup: `${split}-${index}`,
    wallMs: 60_000,
  }));
}

export const aceArm: Arm = {
  name: ArmName.parse('ace'),
  updater: 'ace',
  settings: { curatorOps: ['ADD'], playbookBytes: 65_536 },
};

export const staticArm: Arm = { name: ArmName.parse('static'), updater: 'static' };

/** A plan over three feedback, two selection and three final tasks; one static arm. */
export function planOf(changes: Partial<ExperimentPlan> = {}): ExperimentPlan {
  const empty = { sha256: sha256Of(''), bytes: 0 };
  return {
    experimentId: ExperimentId.parse('exp_0000000a'),
    seed: 7,
    h0: revision(0),
    h0Files: { 'agent.py': empty, 'environment.py': empty, 'playbook.md': empty, 'systemprompt.md': empty },
    tasks: [
      ...plannedTasks('feedback', 3),
      ...plannedTasks('selection', 2),
      ...plannedTasks('final-in-domain', 2),
      ...plannedTasks('final-cross-office', 1),
    ],
    arms: [staticArm],
    budgets: {
      version: 1,
      name: 'test',
      attempt: { calls: 5, tokens: 10_000, wallSeconds: { min: 30, max: 60 }, infrastructureRetries: 2 },
      arm: { updaterTokens: 100_000, candidates: 3, selectionQueries: 4, searchHours: 1 },
    },
    ...changes,
  };
}
