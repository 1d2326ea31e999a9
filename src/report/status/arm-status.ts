import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ArmName } from '../../schema/ids.ts';
import type { ExperimentUsage } from '../../schema/gateway.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { Progress } from './progress.ts';
import type { Revisions } from '../revisions.ts';
import type { Allowance, ArmStatus } from './status.ts';
import type { TokenTotals } from '../numbers/token-totals.ts';

/** What the state of all arms is read from. */
export interface ArmSources {
  readonly lock: ExperimentLock;
  readonly records: readonly ExperimentRecord[];
  readonly progress: Progress;
  readonly revisions: Revisions;
  readonly totals: TokenTotals;
  /** null when the gateway cannot be asked. */
  readonly usage: ExperimentUsage | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What each arm used of its budgets and has left, in config order: arms search one after another. */
export function armStatuses(sources: ArmSources): ArmStatus[] {
  const { lock, records, progress } = sources;
  const started = records.find(
    (record) => record.kind === 'decision' && record.event === 'phase-started' && record.reason === 'search',
  )?.at;
  let from: string | null = started ?? null;
  return lock.identity.arms.map(({ name, updater }) => {
    const search = progress.searches.get(name);
    const searching: boolean = search === undefined && from !== null && progress.phase === 'search';
    const status: ArmStatus = {
      arm: name,
      updater,
      state: search !== undefined ? 'ended' : searching ? 'searching' : 'waiting',
      ended: search?.reason ?? null,
      ...allowances(sources, name),
      searchSeconds: allowance(
        from === null ? 0 : elapsedSeconds(from, search?.endedAt, searching ? sources.now : Date.parse(from)),
        lock.identity.budgets.arm.searchHours * 3600,
      ),
    };
    from = search?.endedAt ?? null;
    return status;
  });
}

function allowances(
  { lock, records, revisions, totals, usage }: ArmSources,
  arm: ArmName,
): Pick<ArmStatus, 'candidates' | 'selectionQueries' | 'updaterTokens'> {
  const { budgets } = lock.identity;
  const booked = usage?.queries.find((entry) => entry.arm === arm);
  const disclosed = records.filter(
    (record) => record.kind === 'query' && record.arm === arm && record.state === 'disclosed' && record.query !== null,
  ).length;
  const live = usage?.roles.find((entry) => entry.arm === arm && entry.role === 'updater');
  const recorded = totals.ofArm(arm).updater;
  const charged = usage === null ? recorded.charged : (live?.charged ?? 0);
  return {
    candidates: allowance(
      revisions.candidates.filter((candidate) => candidate.arm === arm).length,
      budgets.arm.candidates,
    ),
    selectionQueries: allowance(booked?.used ?? disclosed, booked?.cap ?? budgets.arm.selectionQueries),
    updaterTokens: {
      ...allowance(charged, live?.limit ?? budgets.arm.updaterTokens),
      reported: usage === null ? recorded.reported : (live?.reported ?? 0),
    },
  };
}

function allowance(used: number | null, limit: number): Allowance {
  return { used, left: used === null ? null : Math.max(0, limit - used), limit };
}

function elapsedSeconds(from: string, to: string | undefined, now: number): number {
  return Math.max(0, Math.round(((to === undefined ? now : Date.parse(to)) - Date.parse(from)) / 1000));
}
