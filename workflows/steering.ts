import { condition, getExternalWorkflowHandle, setHandler, sleep } from '@temporalio/workflow';
import { setLanes, setPaused } from './messages.ts';

/** Before a child that could not be reached is told again. */
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
  /** The child that runs, and what it knows. */
  private child: { readonly id: string; known: SteeringState } | null = null;
  private telling = false;

  constructor(initial: SteeringState) {
    this.paused = initial.paused;
    this.lanes = initial.lanes;
    setHandler(setPaused, async ({ paused }) => {
      this.paused = paused;
      await this.tell();
    });
    setHandler(setLanes, async ({ lanes }) => {
      this.lanes = lanes;
      await this.tell();
    });
  }

  /** Run a child under its id so that messages reach it. */
  async around<Result>(childId: string, run: (state: SteeringState) => Promise<Result>): Promise<Result> {
    this.child = { id: childId, known: this.state() };
    try {
      return await run(this.state());
    } finally {
      this.child = null;
    }
  }

  state(): SteeringState {
    return { paused: this.paused, lanes: this.lanes };
  }

  /** Pause, say so, go on when a person resumes: also one who was quicker than the telling. */
  async hold(tell: () => Promise<void>): Promise<void> {
    this.paused = true;
    await tell();
    await this.whileRunning();
  }

  /** Resolves at once unless paused. */
  async whileRunning(): Promise<void> {
    if (this.paused) await condition(() => !this.paused);
  }

  /**
   * Tell the child what holds now, one message after the other, so that the last word is the last to arrive. A child that
   * is only being started cannot be reached yet and is told again; one that ended needs no message.
   */
  private async tell(): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    for (let { child } = this; child !== null && !same(child.known, this.state()); child = this.child) {
      const state = this.state();
      const handle = getExternalWorkflowHandle(child.id);
      const told =
        (await reached(handle.signal(setPaused, { paused: state.paused }))) &&
        (await reached(handle.signal(setLanes, { lanes: state.lanes })));
      if (told) child.known = state;
      else if (!(await reached(sleep(retryMs)))) break;
    }
    this.telling = false;
  }
}

function same(one: SteeringState, other: SteeringState): boolean {
  return one.paused === other.paused && one.lanes === other.lanes;
}

/** Whether an effect came about; it does not after a cancellation. */
async function reached(effect: Promise<void>): Promise<boolean> {
  try {
    await effect;
    return true;
  } catch {
    return false;
  }
}
