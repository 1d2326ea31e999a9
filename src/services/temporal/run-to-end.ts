import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { AnnealError, isAnnealError } from '../../domain/errors.ts';

/** A short workflow that somebody waits for. */
export interface AwaitedWorkflow {
  readonly type: string;
  readonly workflowId: string;
  readonly taskQueue: string;
  readonly input: unknown;
}

/**
 * Start a workflow and wait for its end.
 * @throws AnnealError the one that ended it, and ANL-1011 with `busy` where one of its id runs already.
 */
export async function runToEnd(
  client: Client,
  { type, workflowId, taskQueue, input }: AwaitedWorkflow,
  busy: () => AnnealError,
): Promise<void> {
  try {
    await client.workflow.execute(type, {
      workflowId,
      taskQueue,
      args: [input],
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) throw busy();
    throw ourError(error);
  }
}

/** The error of the one table behind a failed workflow; any other as it is. */
function ourError(error: unknown): unknown {
  let cause: unknown = error instanceof WorkflowFailedError ? error.cause : undefined;
  while (cause instanceof Error) {
    const [document] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
    if (isAnnealError(document)) {
      const { code, fields, why, next, notSpent } = document;
      return new AnnealError(code, fields as never, {
        ...(why === null ? {} : { why }),
        ...(notSpent === null ? {} : { notSpent }),
        next,
        cause: error,
      });
    }
    cause = cause.cause;
  }
  return error;
}
