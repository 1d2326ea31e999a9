import { AnnealError } from '../domain/errors.ts';
import { haltError } from '../domain/halt-error.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import type { ExperimentUsage } from '../schema/gateway.ts';
import { Halt, type HaltKind } from '../schema/halt.ts';
import type { DecisionRecord } from '../schema/record.ts';
import type { Progress } from './progress.ts';

/** Why an experiment waits for a person, or for a time. */
export interface Hold {
  readonly kind: HaltKind | 'coverage';
  readonly error: AnnealError;
  /** ISO 8601. `until` null = no end by itself. */
  readonly since: string;
  readonly until: string | null;
}

/**
 * What an experiment waits for. A halt whose end is not on record yet counts no more once the gateway has lifted it; where
 * that cannot be asked (`usage` null) the records speak.
 */
export function holdsOf(lock: ExperimentLock, { held }: Progress, usage: ExperimentUsage | null): Hold[] {
  const stands = ({ figures: { hold, since } }: DecisionRecord): boolean =>
    hold === 'coverage' || usage === null || usage.halted.some((halt) => halt.role === hold && halt.since === since);
  return held.filter(stands).flatMap((record) => holdOf(lock, record) ?? []);
}

/** The hold that an `experiment-held` record tells of; null for figures that make none. */
export function holdOf({ id, identity, operational }: ExperimentLock, { figures }: DecisionRecord): Hold | null {
  const { hold, ...rest } = figures;
  if (hold === 'coverage') return coverageHold(id, rest);
  const halt = Halt.safeParse({ ...rest, role: hold });
  if (!halt.success) return null;
  const { role, kind, since, until } = halt.data;
  return {
    kind,
    error: haltError(halt.data, {
      experiment: id,
      file: operational.configPath,
      model: identity.models[role],
      timeText: minuteText,
    }),
    since: timeOf(since),
    until: until === null ? null : timeOf(until),
  };
}

function coverageHold(experiment: string, figures: DecisionRecord['figures']): Hold {
  const number = (name: string): number => Number(figures[name] ?? 0);
  const [missing, scored, planned, judge] = [number('missing'), number('scored'), number('planned'), number('judge')];
  const error = new AnnealError(
    'ANL-4003',
    { experiment, missing, planned, pass: String(figures['pass'] ?? 'pass') },
    {
      why: `${scored} of ${planned} have one, below the floor; ${wayOut(missing, judge)}`,
      ...(judge === 0 ? {} : { next: `anneal rejudge ${experiment}     then: anneal resume ${experiment}` }),
      notSpent: 'while it waits nothing is sent, 0 tokens are spent; what is scored stands',
    },
  );
  return { kind: 'coverage', error, since: timeOf(number('since')), until: null };
}

/** What gives the others a score: a run is not repeated for a judge that failed. */
function wayOut(missing: number, judge: number): string {
  if (judge === 0) return 'the others are made again at a resume';
  const awaiting = `${judge} ran and ${judge === 1 ? 'awaits' : 'await'} a judgement, for the judge failed`;
  return missing === judge ? awaiting : `${awaiting}; the others are made again at a resume`;
}

/** `2026-11-30 02:10 UTC`. */
function minuteText(at: number): string {
  return `${timeOf(at).slice(0, 16).replace('T', ' ')} UTC`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
