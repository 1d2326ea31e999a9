import type { MeasuredRevision, Report } from '../src/schema/report.ts';
import type { Sign, Signs } from '../src/schema/world.ts';

/** What one experiment found out about its world; null where it claims nothing. */
export interface RecoveredTruth {
  /** Best evolved revision against H0, on complete pairs. */
  readonly signs: Readonly<Record<keyof Signs, Sign | null>>;
  /** Its agent errors against those of H0. */
  readonly agentErrors: Readonly<Record<keyof Signs, Sign | null>>;
  /** The revision that the gate lets through. */
  readonly gated: string | null;
  readonly deltas: Readonly<Record<keyof Signs, number | null>>;
}

const columns = ['selection', 'inDomain', 'crossOffice'] as const;

/** Read the signs off a report, which knows nothing of the world's truth. */
export function recoveredTruth({ arms, baseline }: Report): RecoveredTruth {
  const champions = arms.flatMap((arm) => arm.champions);
  const evolved = champions.find(({ label }) => label === 'bestEvolved');
  const each = <Value>(
    value: (revision: MeasuredRevision, column: keyof Signs) => Value,
  ): Record<keyof Signs, Value | null> => {
    const of = (column: keyof Signs): Value | null => (evolved === undefined ? null : value(evolved, column));
    return { selection: of('selection'), inDomain: of('inDomain'), crossOffice: of('crossOffice') };
  };
  return {
    signs: each((revision, column) => (claimable(revision, column) ? signOf(revision[column].delta) : null)),
    agentErrors: each((revision, column) => signOf(revision[column].agentErrors - baseline[column].agentErrors)),
    gated: champions.find(({ label }) => label === 'gated')?.revision ?? null,
    deltas: each((revision, column) => revision[column].delta),
  };
}

/** Signs in the order of the columns, such as `+ + 0`; `?` where nothing is claimed. */
export function signsText(signs: Readonly<Record<keyof Signs, Sign | null>> | undefined): string {
  return columns.map((column) => (signs === undefined ? '0' : (signs[column] ?? '?'))).join(' ');
}

function claimable(revision: MeasuredRevision, column: keyof Signs): boolean {
  return revision[column].verdict.kind === 'covered';
}

function signOf(difference: number | null): Sign | null {
  if (difference === null) return null;
  return difference > 0 ? '+' : difference < 0 ? '-' : '0';
}
