import { ParentClosePolicy, executeChild, workflowInfo, type ChildWorkflowOptions } from '@temporalio/workflow';
import type { EvaluateInput } from './evaluate.ts';
import type { Steering } from './steering.ts';
import { workflowIds } from './workflow-ids.ts';

/** Options of every child: an explicit id, cancelled with its parent. */
export function childOptions(workflowId: string): ChildWorkflowOptions & { workflowId: string } {
  return { workflowId, parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL, taskQueue: workflowInfo().taskQueue };
}

/** Attempts between two pages of one pass: a page's history stays near 3,000 events. */
const passPage = 250;

/** A pass as its caller wants it; how it is steered and paged is added here. */
export type PassInput = Omit<EvaluateInput, 'steering' | 'cursor' | 'pageSize'>;

/** Run one pass as a child; `step` names it within its arm. */
export async function runPass(steering: Steering, step: string, pass: PassInput): Promise<void> {
  const id = workflowIds.pass(pass.experimentId, pass.arm, step);
  await steering.around(id, (state) =>
    executeChild('evaluate', {
      ...childOptions(id),
      args: [{ ...pass, steering: state, cursor: 0, pageSize: passPage }],
    }),
  );
}
