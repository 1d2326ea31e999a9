import type { AnnealError } from '../../domain/errors.ts';
import { haltError } from '../../domain/halt-error.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentUsage } from '../../schema/gateway.ts';
import { Halt, type HaltKind } from '../../schema/halt.ts';
import type { DecisionRecord, ExperimentRecord } from '../../schema/record.ts';
import { coverageError } from '../coverage-error.ts';
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
export function holdsOf(
  lock: ExperimentLock,
  records: readonly ExperimentRecord[],
  { held }: Progress,
  usage: ExperimentUsage | null,
): Hold[] {
  const stands = ({ figures: { hold, since } }: DecisionRecord): boolean =>
    hold === 'coverage' || usage === null || usage.halted.some((halt) => halt.role === hold && halt.since === since);
  return held.filter(stands).flatMap((record) => holdOf(lock, record, records) ?? []);
}

/** The hold that an `experiment-held` record tells of, beside the others as they stand; null for figures that make none. */
export function holdOf(
  lock: ExperimentLock,
  { figures }: DecisionRecord,
  records: readonly ExperimentRecord[],
): Hold | null {
  const { id, identity, operational } = lock;
  const { hold, ...rest } = figures;
  if (hold === 'coverage') {
    const since = timeOf(Number(rest['since'] ?? 0));
    return { kind: 'coverage', error: coverageError(lock, rest, records), since, until: null };
  }
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

/** `2026-11-30 02:10 UTC`. */
function minuteText(at: number): string {
  return `${timeOf(at).slice(0, 16).replace('T', ' ')} UTC`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
