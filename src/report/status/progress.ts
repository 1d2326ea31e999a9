import type { ArmName } from '../../schema/ids.ts';
import type { DecisionRecord, ExperimentRecord } from '../../schema/record.ts';
import { SearchEnd, type ReportedArm } from '../../schema/report.ts';

/** Where an experiment stands, as its decision records tell. */
export interface Progress {
  /** `baseline`, `search`, `freeze`, `final`, `report`; `starting` before the first; `complete` or `cancelled` once closed. */
  readonly phase: string;
  readonly state: 'open' | 'complete' | 'cancelled';
  readonly searches: ReadonlyMap<ArmName, Search>;
  /** `experiment-held` records without their end, one for each thing that is waited for; none once closed. */
  readonly held: readonly DecisionRecord[];
  /** Time of the last record, null without one. */
  readonly lastAt: string | null;
}

interface Search {
  readonly endedAt: string;
  readonly reason: string;
  readonly end: ReportedArm['endedBy'];
}

/** Reads phase, state and ended searches from the records; `experiment-closed` is what closes. */
export function progressOf(records: readonly ExperimentRecord[]): Progress {
  let phase = 'starting';
  let state: Progress['state'] = 'open';
  let lastAt: string | null = null;
  const searches = new Map<ArmName, Search>();
  const held = new Map<unknown, DecisionRecord>();
  for (const record of records) {
    if (lastAt === null || record.at > lastAt) lastAt = record.at;
    if (record.kind !== 'decision') continue;
    if (record.event === 'phase-started') {
      phase = record.reason;
      // Updaters are asked in searches alone.
      if (phase !== 'search') held.delete('updater');
    }
    if (record.event === 'experiment-held') held.set(record.figures['hold'], record);
    if (record.event === 'experiment-released') held.delete(record.figures['hold']);
    if (record.event === 'experiment-closed') state = record.reason === 'cancelled' ? 'cancelled' : 'complete';
    if (record.event === 'search-ended' && record.arm !== null) {
      searches.set(record.arm, {
        endedAt: record.at,
        reason: record.reason,
        end: SearchEnd.catch('done').parse(record.figures['end']),
      });
    }
  }
  return {
    phase: state === 'open' ? phase : state,
    state,
    searches,
    held: state === 'open' ? [...held.values()] : [],
    lastAt,
  };
}
