import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import type { ExperimentPlan } from '../../src/contract/activities.ts';
import { FakeActivities } from './fake-activities.ts';
import { createTestWorker, freshTaskQueue } from './temporal-server.ts';
import { untilTold } from './until-told.ts';

/** A worker on the real workflows, with effects in memory, on a task queue of its own. */
export class WorkflowFixture {
  readonly fake: FakeActivities;
  private readonly environment: TestWorkflowEnvironment;
  private readonly taskQueue = freshTaskQueue();
  private worker: { readonly worker: Worker; readonly ended: Promise<void> } | null = null;

  constructor(environment: TestWorkflowEnvironment, plan: ExperimentPlan) {
    this.environment = environment;
    this.fake = new FakeActivities(plan);
  }

  async startWorker(): Promise<void> {
    const worker = await createTestWorker(this.environment, this.taskQueue, this.fake.activities());
    this.worker = { worker, ended: worker.run() };
  }

  async stopWorker(): Promise<void> {
    this.worker?.worker.shutdown();
    await this.worker?.ended;
    this.worker = null;
  }

  /** Start a workflow under `id`, or one that nobody else uses. */
  start(
    workflow: 'experiment' | 'arm' | 'evaluate' | 'rejudge' | 'close',
    input: unknown,
    id: string = randomUUID(),
  ): Promise<WorkflowHandle> {
    return this.environment.client.workflow.start(workflow, {
      workflowId: id,
      taskQueue: this.taskQueue,
      args: [input],
    });
  }

  /** As `untilTold`, of a workflow that was started here. */
  untilTold(handle: WorkflowHandle, signals = 1): Promise<void> {
    return untilTold(this.environment.client.workflow, handle, signals);
  }

  /** Runs of one workflow id, continued ones included. */
  async runsOf(workflowId: string): Promise<number> {
    let runs = 0;
    for await (const _ of this.environment.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) runs += 1;
    return runs;
  }
}
