import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import type { ArmName, AttemptKey, CommitHash, ExperimentId } from '../../src/schema/ids.ts';
import type { AgentErrorCause, Outcome } from '../../src/schema/outcome.ts';
import type { AttemptRecord, ExperimentRecord, UsageRecord } from '../../src/schema/record.ts';
import type { Reward } from '../../src/schema/units.ts';
import { buildLock, digestOf, revisionDigest, startedAt, taskId } from './lock-builder.ts';

export function scored(reward: number): Outcome {
  return { kind: 'scored', reward: reward as Reward };
}

export function agentError(reward: number, cause: AgentErrorCause = 'crash'): Outcome {
  return { kind: 'scored_with_agent_error', reward: reward as Reward, cause, signature: `${cause} seen` };
}

export function infrastructure(reason = 'provider answered 503'): Outcome {
  return { kind: 'unscored_infra', phase: 'provider', reason };
}

/** What an attempt is whose judge failed. */
export function judgeFailure(reason = 'the judge ended by exited 3'): Outcome {
  return { kind: 'unscored_infra', phase: 'judge', reason };
}

/** What one attempt of a story looks like; a number is a reward. */
export type StoryOutcome = number | Outcome;

/** Writes the records of one experiment in order, one second apart. */
export class Story {
  readonly lock: ExperimentLock;
  readonly records: ExperimentRecord[] = [];
  private readonly epochs = new Map<string, number>();

  constructor(lock: ExperimentLock = buildLock()) {
    this.lock = lock;
  }

  phase(phase: string): this {
    return this.decision(null, 'phase-started', phase);
  }

  decision(
    arm: string | null,
    event: string,
    reason: string,
    figures: Extract<ExperimentRecord, { kind: 'decision' }>['figures'] = {},
  ): this {
    this.records.push({
      kind: 'decision',
      ...this.stamp(),
      arm: arm as ArmName | null,
      event,
      reason,
      figures,
    });
    return this;
  }

  /** H0 for `h0`, else `ARM/cand-N`. */
  revision(name: string, digest = revisionDigest(name)): this {
    const { arm, candidate } = partsOf(name);
    this.records.push({
      kind: 'revision',
      ...this.stamp(),
      arm,
      candidate,
      commit: commitOf(name),
      revision: digest,
      parent: candidate === 0 ? null : commitOf('h0'),
      playbookBytes: candidate * 100,
    });
    return this;
  }

  /** One attempt per task; a second one of the same revision and task is the next epoch. */
  attempts(name: string, outcomes: Readonly<Record<string, StoryOutcome>>, changes: Partial<AttemptRecord> = {}): this {
    for (const [task, outcome] of Object.entries(outcomes)) {
      this.records.push(this.attempt(name, task, typeof outcome === 'number' ? scored(outcome) : outcome, changes));
    }
    return this;
  }

  /** A later judgement of the latest epoch of an attempt. */
  judgement(name: string, task: string, judgement: number, outcome: StoryOutcome): this {
    const { key, epoch, split, revision, replicate, ...attempt } = this.attempt(name, task, infrastructure(), {});
    this.epochs.set(key, epoch - 1);
    const judged = typeof outcome === 'number' ? scored(outcome) : outcome;
    this.records.push({
      kind: 'judgement',
      ...this.stamp(),
      key,
      epoch: epoch - 1,
      judgement,
      split,
      task: attempt.task,
      revision,
      replicate,
      outcome: judged,
      judged: null,
      judges: digestOf('judges'),
      blobs: {},
    });
    return this;
  }

  query(arm: string, candidate: number, exact: number | null, query: number | null): this {
    this.records.push({
      kind: 'query',
      ...this.stamp(),
      arm: arm as ArmName,
      candidate,
      revision: revisionDigest(candidate === 0 ? 'h0' : `${arm}/cand-${candidate}`),
      query,
      state: exact === null ? 'released' : 'disclosed',
      exact,
      disclosed: exact === null ? null : Number(exact.toFixed(1)),
      scored: exact === null ? 2 : 3,
      planned: 3,
    });
    return this;
  }

  champion(arm: string, label: 'gated' | 'bestEvolved', candidate: number): this {
    const name = candidate === 0 ? 'h0' : `${arm}/cand-${candidate}`;
    this.records.push({
      kind: 'champion',
      ...this.stamp(),
      arm: arm as ArmName,
      label,
      candidate,
      commit: commitOf(name),
      revision: revisionDigest(name),
      tag: `anneal/${this.lock.id}/${arm}/${label}`,
    });
    return this;
  }

  usage(arm: string, role: UsageRecord['role'], figures: Partial<UsageRecord>): this {
    this.records.push({
      kind: 'usage',
      ...this.stamp(),
      arm: arm as ArmName,
      role,
      calls: 0,
      reported: 0,
      charged: 0,
      unknownRows: 0,
      unknownCharged: 0,
      microUsd: 0,
      unpricedCalls: 0,
      ...figures,
    });
    return this;
  }

  closed(ended: 'complete' | 'cancelled' = 'complete'): this {
    return this.decision(null, 'experiment-closed', ended);
  }

  private attempt(name: string, task: string, outcome: Outcome, changes: Partial<AttemptRecord>): AttemptRecord {
    const locked = this.lock.identity.tasks.find(({ id }) => id === taskId(task));
    if (locked === undefined) throw new Error(`no task ${task}`);
    const { arm } = partsOf(name);
    const key = digestOf(`attempt ${name} ${task}`) as string as AttemptKey;
    const epoch = (this.epochs.get(key) ?? 0) + 1;
    this.epochs.set(key, epoch);
    return {
      kind: 'attempt',
      ...this.stamp(),
      key,
      epoch,
      arm,
      phase: locked.split.startsWith('final')
        ? 'final'
        : name === 'h0' && locked.split === 'selection'
          ? 'baseline'
          : 'search',
      split: locked.split,
      task: locked.id,
      taskDigest: locked.digest,
      modality: locked.modality,
      revision: revisionDigest(name),
      replicate: 0,
      runClass: runClassOf(outcome),
      outcome,
      judged:
        outcome.kind === 'scored' || outcome.kind === 'scored_with_agent_error'
          ? {
              delivered: true,
              strict: outcome.reward === 1,
              semantic: 100 * outcome.reward,
              preservation: null,
              interaction: null,
              failedCategories: outcome.reward === 1 ? [] : ['facts'],
            }
          : null,
      judges: outcome.kind === 'scored' || outcome.kind === 'scored_with_agent_error' ? digestOf('judges') : null,
      usage: {
        calls: 4,
        retries: 0,
        replayed: 0,
        tokensReported: 2000,
        tokensCharged: 2000,
        tokensInherited: 0,
        unknownRows: 0,
        waitedMs: 0,
        limitHit: null,
        lastFault: null,
        servedModels: ['simulated/no-transfer'],
        divergedAtCall: null,
      },
      wallMs: 12_000,
      sandbox: { level: 'full', cgroup: 'v2' },
      phases: {},
      cpuMs: {},
      blobs: {},
      ...changes,
    };
  }

  private stamp(): { version: 1; experiment: ExperimentId; simulated: boolean; world: string | null; at: string } {
    const simulated = this.lock.identity.models.solver.provider === 'simulated';
    return {
      version: 1,
      experiment: this.lock.id,
      simulated,
      world: simulated ? 'no-transfer' : null,
      at: new Date(startedAt + 1000 * (this.records.length + 1)).toISOString(),
    };
  }
}

function runClassOf(outcome: Outcome): AttemptRecord['runClass'] {
  switch (outcome.kind) {
    case 'scored':
      return { kind: 'ended' };
    case 'scored_with_agent_error':
      return { kind: 'agent_error', cause: outcome.cause, signature: outcome.signature };
    case 'unscored_infra':
      return { kind: 'infrastructure', phase: outcome.phase, reason: outcome.reason };
    case 'cancelled':
      return outcome;
  }
}

function partsOf(name: string): { arm: ArmName; candidate: number } {
  const [arm = 'h0', revision = ''] = name.split('/');
  return { arm: arm as ArmName, candidate: Number(revision.replace('cand-', '')) };
}

export function commitOf(name: string): CommitHash {
  return digestOf(`commit ${name}`).slice(0, 40) as CommitHash;
}
