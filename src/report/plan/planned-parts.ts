import { canonicalAttempts } from '../../domain/canonical-attempts.ts';
import { rewardOf } from '../../domain/outcome.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ArmName } from '../../schema/ids.ts';
import type { AttemptRecord, ExperimentRecord } from '../../schema/record.ts';
import type { PlannedPart } from './plan-estimate.ts';
import type { Progress } from '../status/progress.ts';

const hourMs = 3_600_000;

/** Arms that evolve and whose search has not ended; none once the experiment is closed. */
export function searchesLeft({ identity }: ExperimentLock, { state, searches }: Progress): readonly ArmName[] {
  if (state !== 'open') return [];
  return identity.arms
    .filter(({ name, updater }) => updater !== 'static' && !searches.has(name))
    .map(({ name }) => name);
}

/**
 * The parts of an experiment with what stands on record of each. A search that has ended makes nothing any more, finals are
 * of the frozen revisions once they are known, and of a closed experiment nothing is left. `candidates`: those of one search.
 */
export function plannedParts(
  lock: ExperimentLock,
  own: readonly ExperimentRecord[],
  progress: Progress,
  candidates: number,
): readonly PlannedPart[] {
  const { identity } = lock;
  const searching = searchesLeft(lock, progress);
  const scored = canonicalAttempts(own).all.filter(({ outcome }) => rewardOf(outcome) !== null);
  const tasks = (wanted: (split: string) => boolean): number =>
    identity.tasks.filter(({ split }) => wanted(split)).length;
  const part = (name: PlannedPart['part'], planned: number, done: readonly AttemptRecord[]): PlannedPart => {
    // What an arm made whose search has ended is no part of what the others still have to make.
    const counted = name === 'feedback' || name === 'selection' ? ofSearches(done, progress) : done;
    const left = progress.state === 'open' ? Math.max(0, planned - counted.length) : 0;
    return { part: name, attempts: done.length + left, reused: done.length };
  };
  const ofSplit = (wanted: (record: AttemptRecord) => boolean): AttemptRecord[] => scored.filter(wanted);
  const isH0 = ({ revision }: AttemptRecord): boolean => revision === identity.harness;
  const selection = tasks((split) => split === 'selection');
  return [
    part(
      'baseline',
      selection,
      ofSplit((record) => record.split === 'selection' && isH0(record)),
    ),
    part(
      'feedback',
      searching.length * tasks((split) => split === 'feedback'),
      ofSplit(({ split }) => split === 'feedback'),
    ),
    part(
      'selection',
      searching.length * candidates * selection,
      ofSplit((record) => record.split === 'selection' && !isH0(record)),
    ),
    part(
      'final',
      tasks((split) => split.startsWith('final')) * (1 + evolvedInFinals(lock, own, progress)),
      ofSplit(({ split }) => split.startsWith('final')),
    ),
  ];
}

/** Attempts still to be made of one part. */
export function openOf(parts: readonly PlannedPart[], name: PlannedPart['part']): number {
  return parts.filter(({ part }) => part === name).reduce((sum, { attempts, reused }) => sum + attempts - reused, 0);
}

/** Numbers that were disclosed and those still to come: one for H0 and one for each candidate of a search that goes on. */
export function queriesOf(
  lock: ExperimentLock,
  own: readonly ExperimentRecord[],
  progress: Progress,
  candidates: number,
): number {
  const used = (arm: ArmName): number =>
    own.filter(
      (record) =>
        record.kind === 'query' && record.arm === arm && record.query !== null && record.state === 'disclosed',
    ).length;
  const searching = new Set(searchesLeft(lock, progress));
  return lock.identity.arms.reduce((sum, { name, updater }) => {
    if (updater === 'static') return sum + (progress.state === 'open' ? 1 : used(name));
    return sum + (searching.has(name) ? 1 + candidates : used(name));
  }, 0);
}

/** Search time that the arms may still take, at most: all of it for those to come, what the last record leaves of the first. */
export function searchMsLeft(lock: ExperimentLock, own: readonly ExperimentRecord[], progress: Progress): number {
  const began = own.find(
    (record) => record.kind === 'decision' && record.event === 'phase-started' && record.reason === 'search',
  );
  const each = lock.identity.budgets.arm.searchHours * hourMs;
  const left = searchesLeft(lock, progress).length * each;
  if (began === undefined || progress.lastAt === null || left === 0) return left;
  const since = Math.max(
    Date.parse(began.at),
    ...[...progress.searches.values()].map(({ endedAt }) => Date.parse(endedAt)),
  );
  return left - Math.min(each, Math.max(0, Date.parse(progress.lastAt) - since));
}

function ofSearches(attempts: readonly AttemptRecord[], { searches }: Progress): readonly AttemptRecord[] {
  return attempts.filter(({ arm }) => !searches.has(arm));
}

/** Revisions beside H0 in the finals: the frozen ones where they are on record, else one for each arm that evolves. */
function evolvedInFinals(
  { identity }: ExperimentLock,
  own: readonly ExperimentRecord[],
  { phase, state }: Progress,
): number {
  const champions = own.filter((record) => record.kind === 'champion');
  const known = champions.length > 0 || state !== 'open' || phase === 'final' || phase === 'report';
  if (!known) return identity.arms.filter(({ updater }) => updater !== 'static').length;
  return new Set(champions.map(({ revision }) => revision).filter((revision) => revision !== identity.harness)).size;
}
