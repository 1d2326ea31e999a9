import { Context, heartbeat } from '@temporalio/activity';
import type {
  Activities,
  PassCoverage,
  AttemptEnd,
  AttemptRequest,
  ExperimentPlan,
  PassForecast,
  SearchAllowance,
} from '../../src/contract/activities.ts';
import { sha256Of } from '../../src/domain/sha256.ts';
import { CommitHash, HarnessDigest } from '../../src/schema/ids.ts';
import type { BlobRef } from '../../src/updaters/step-machine.ts';

/** Result and name of one effect: what a workflow asked for, in order. */
export interface Effect {
  readonly name: keyof Activities;
  readonly input: Record<string, unknown>;
}

const scored: AttemptEnd = { outcome: 'scored', solveAgain: 'no' };

/** Every effect in memory, with attempts that a test holds back, and a note of all that was asked for. */
export class FakeActivities {
  readonly effects: Effect[] = [];
  readonly attempts: AttemptRequest[] = [];
  inFlight = 0;
  mostInFlight = 0;
  /** Attempts that were told to stop and did. */
  cancelled = 0;
  /** What an attempt does and how it ends; `count` counts from 1 over all attempts. */
  attempt: (request: AttemptRequest, count: number) => Promise<AttemptEnd> = async () => scored;
  /** Exact points of a revision on selection; null = below the coverage floor. */
  points: (candidate: number) => number | null = (candidate) => 50 + 10 * candidate;
  /** How the waits for a halted model end. */
  served: () => Promise<void> = async () => {};
  /** What a pass came to; `count` counts from 1 over all checks. */
  coverage: (count: number) => PassCoverage = () => ({ planned: 2, scored: 2, infrastructure: 0, belowFloor: false });
  /** How a model call of an updater ends; `count` counts from 1 over all calls. */
  modelHalted: (count: number) => boolean = () => false;
  /** What attempts took so far. */
  forecast: PassForecast = { wallP90Ms: 10, standing: [] };
  /** Caps over the whole experiment; none by default. */
  allowances: readonly SearchAllowance[] = [];
  /** How long an effect takes once it is made; its result comes after. */
  delay: (effect: Effect) => Promise<void> = async () => {};
  /** The names of effects in the order in which they ended. */
  readonly ended: (keyof Activities)[] = [];
  readonly plan: ExperimentPlan;

  constructor(plan: ExperimentPlan) {
    this.plan = plan;
  }

  /** The names of effects in order, without those of attempts. */
  names(): string[] {
    return this.effects.map(({ name }) => name);
  }

  of(name: keyof Activities): Record<string, unknown>[] {
    return this.effects.filter((effect) => effect.name === name).map(({ input }) => input);
  }

  /** Ends when the attempt is cancelled, and not before. */
  hang = async (): Promise<never> => {
    try {
      return await alive(Context.current().cancelled);
    } finally {
      this.cancelled += 1;
    }
  };

  /** From now on attempts wait until they are released, `count` at a time; releases may come first. */
  hold(): { readonly release: (count: number) => void } {
    const waiting: (() => void)[] = [];
    let credit = 0;
    this.attempt = async () => {
      if (credit > 0) credit -= 1;
      else
        await alive(Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), Context.current().cancelled]));
      return scored;
    };
    return {
      release: (count) => {
        for (let index = 0; index < count; index++) {
          const next = waiting.shift();
          if (next === undefined) credit += 1;
          else next();
        }
      },
    };
  }

  activities(): Activities {
    const slowly = Object.entries(this.made()).map(([name, make]) => {
      const effectOf = async (input: Effect['input']): Promise<unknown> => {
        const result: unknown = await make(input);
        await this.delay({ name: name as keyof Activities, input });
        this.ended.push(name as keyof Activities);
        return result;
      };
      return [name, effectOf];
    });
    return Object.fromEntries(slowly) as Activities;
  }

  private made(): Activities {
    const note = (name: keyof Activities, input: unknown): void => {
      this.effects.push({ name, input: input as Record<string, unknown> });
    };
    return {
      prepareExperiment: async (input) => {
        note('prepareExperiment', input);
        return this.plan;
      },
      performAttempt: async (request) => {
        this.attempts.push(request);
        this.inFlight += 1;
        this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
        try {
          return await this.attempt(request, this.attempts.length);
        } finally {
          this.inFlight -= 1;
        }
      },
      forecastPass: async (input) => {
        note('forecastPass', input);
        return this.forecast;
      },
      holdShare: async (input) => {
        note('holdShare', input);
        return this.allowances;
      },
      collectFeedback: async (input) => {
        note('collectFeedback', input);
        const evidence = input.taskIds.map((taskId) => ({ taskId, evidence: blob(`evidence ${taskId}`) }));
        return { kind: 'ok', value: { kind: 'feedback-pass', revision: input.revision.digest, evidence } };
      },
      callModel: async (input) => {
        note('callModel', input);
        if (this.modelHalted(this.of('callModel').length)) return { kind: 'halted' };
        const text = blob(`reply ${input.stepKey}`);
        const value = { kind: 'model-reply', text, parsed: text, finishReason: 'stop', tokensCharged: 1, findings: [] };
        return { kind: 'ok', value } as const as never;
      },
      untilServed: async (input) => {
        note('untilServed', input);
        await alive(Promise.race([this.served(), Context.current().cancelled]));
      },
      checkPass: async (input) => {
        note('checkPass', input);
        return this.coverage(this.of('checkPass').length);
      },
      derive: async (input) => {
        note('derive', input);
        const playbook = blob(`playbook ${JSON.stringify(input.action)}`);
        return { kind: 'ok', value: { kind: 'derived', refs: { playbook }, value: {}, findings: [] } };
      },
      commitCandidate: async (input) => {
        note('commitCandidate', input);
        if (input.candidate > input.candidateCap) return { kind: 'refused' };
        const digest = HarnessDigest.parse(sha256Of(JSON.stringify(input.files)));
        const commit = CommitHash.parse(digest.slice(0, 40));
        return { kind: 'committed', revision: { candidate: input.candidate, commit, digest }, repeated: false };
      },
      reserveQuery: async (input) => {
        note('reserveQuery', input);
        return { kind: 'reserved', query: input.revision.candidate + 1 };
      },
      discloseQuery: async (input) => {
        note('discloseQuery', input);
        const exact = input.interrupted === true ? null : this.points(input.revision.candidate);
        if (exact !== null) return { kind: 'disclosed', points: Math.round(exact), exact };
        return { kind: 'released', why: 'below the floor' };
      },
      freezeChampions: async (input) => note('freezeChampions', input),
      recordDecision: async (input) => note('recordDecision', input),
      rejudgeAttempt: async (input) => {
        note('rejudgeAttempt', input);
        return { outcome: 'scored' };
      },
      refreshReport: async (input) => note('refreshReport', input),
      closeExperiment: async (input) => note('closeExperiment', input),
      writeReport: async (input) => note('writeReport', input),
    };
  }
}

/** Heartbeats until `work` is over. */
async function alive<Value>(work: Promise<Value>): Promise<Value> {
  const beat = setInterval(() => heartbeat(), 100);
  try {
    return await work;
  } finally {
    clearInterval(beat);
  }
}

function blob(text: string): BlobRef {
  return { sha256: sha256Of(text), bytes: text.length };
}
