import { condition, getExternalWorkflowHandle, setHandler, sleep } from '@temporalio/workflow';
import { setLanes, setPaused } from './messages.ts';

/** Before a child that was not there is told again. */
const retryMs = 200;

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
      await this.forward(() => ['setPaused', { paused: this.paused }]);
    });
    setHandler(setLanes, async ({ lanes }) => {
      this.lanes = lanes;
      await this.forward(() => ['setLanes', { lanes: this.lanes }]);
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

  /**
   * Pass on what holds now. A child that is only being started cannot be reached yet, so it is told again for as long as
   * it is the child; one that ended in the meantime needs no message, nor does any after a cancellation.
   */
  private async forward(message: () => Parameters<Handle['signal']>): Promise<void> {
    const { child } = this;
    if (child === null) return;
    const handle = getExternalWorkflowHandle(child);
    let pending = true;
    while (pending) {
      const told = await reached(handle.signal(...message()));
      pending = !told && this.child === child && (await reached(sleep(retryMs)));
    }
  }
}

type Handle = ReturnType<typeof getExternalWorkflowHandle>;

async function reached(effect: Promise<void>): Promise<boolean> {
  try {
    await effect;
    return true;
  } catch {
    return false;
  }
}
