import { condition, getExternalWorkflowHandle, setHandler } from '@temporalio/workflow';
import { setLanes, setPaused } from './messages.ts';

/** What a person may change while a workflow runs. */
export interface SteeringState {
  readonly paused: boolean;
  readonly lanes: number;
}

/** Holds pause and lanes of one workflow and passes every change on to the child that runs at the time. */
export class Steering {
  paused: boolean;
  lanes: number;
  private child: string | null = null;

  constructor(initial: SteeringState) {
    this.paused = initial.paused;
    this.lanes = initial.lanes;
    setHandler(setPaused, async ({ paused }) => {
      this.paused = paused;
      if (this.child !== null) await forward(this.child, (handle) => handle.signal(setPaused, { paused }));
    });
    setHandler(setLanes, async ({ lanes }) => {
      this.lanes = lanes;
      if (this.child !== null) await forward(this.child, (handle) => handle.signal(setLanes, { lanes }));
    });
  }

  /** Run a child under its id so that messages reach it. */
  async around<Result>(childId: string, run: (state: SteeringState) => Promise<Result>): Promise<Result> {
    this.child = childId;
    try {
      return await run(this.state());
    } finally {
      this.child = null;
    }
  }

  state(): SteeringState {
    return { paused: this.paused, lanes: this.lanes };
  }

  /** Resolves at once unless paused. */
  async whileRunning(): Promise<void> {
    if (this.paused) await condition(() => !this.paused);
  }
}

type Handle = ReturnType<typeof getExternalWorkflowHandle>;

/** A child that ended in the meantime needs no message. */
async function forward(childId: string, send: (handle: Handle) => Promise<void>): Promise<void> {
  try {
    await send(getExternalWorkflowHandle(childId));
  } catch {
    return;
  }
}
