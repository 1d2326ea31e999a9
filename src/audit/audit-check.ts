import type { AuditSources } from './audit-sources.ts';

/** What one check found. */
export type Found =
  | { readonly state: 'ok' | 'skipped'; readonly text: string }
  | { readonly state: 'fail'; readonly faults: readonly string[]; readonly repair: string };

/** One thing that must hold of an experiment. */
export interface AuditCheck {
  readonly name: string;
  readonly run: (sources: AuditSources) => Found | Promise<Found>;
}

/** `ok` with what was looked at, or every fault and how to repair it. */
export function judge(faults: readonly string[], text: string, repair: string): Found {
  return faults.length === 0 ? { state: 'ok', text } : { state: 'fail', faults, repair };
}
