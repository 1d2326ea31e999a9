import type { ArmName, ExperimentId } from '../src/schema/ids.ts';

/** Workflow ids are opaque: no task names, nothing that tells what is measured beyond arm and step. */
export const workflowIds = {
  experiment: (experimentId: ExperimentId): string => `exp/${experimentId}`,
  arm: (experimentId: ExperimentId, arm: ArmName): string => `exp/${experimentId}/arm/${arm}`,
  pass: (experimentId: ExperimentId, arm: ArmName, step: string): string => `exp/${experimentId}/${arm}/pass/${step}`,
  /** Judging again, beside the experiment or after it. */
  rejudge: (experimentId: ExperimentId): string => `exp/${experimentId}/rejudge`,
} as const;
