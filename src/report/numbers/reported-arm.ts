import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { Arm } from '../../schema/experiment-config.ts';
import type { ChampionRecord, ExperimentRecord } from '../../schema/record.ts';
import { ChampionLabel, type ReportedArm } from '../../schema/report.ts';
import type { CanonicalAttempts } from '../../domain/canonical-attempts.ts';
import { measuredNumbers } from './measured-numbers.ts';
import type { Progress } from '../status/progress.ts';
import { revisionName, type Revisions } from '../revisions.ts';
import { splitNumbers } from './split-numbers.ts';
import type { TokenTotals } from './token-totals.ts';

/** What is known of an experiment before any arm is looked at. */
export interface ReportSources {
  readonly lock: ExperimentLock;
  readonly records: readonly ExperimentRecord[];
  readonly attempts: CanonicalAttempts;
  readonly progress: Progress;
  readonly revisions: Revisions;
  readonly totals: TokenTotals;
}

/** One arm of the report: its candidates, frozen champions, queries and tokens. */
export function reportedArm(sources: ReportSources, { name: arm, updater }: Arm): ReportedArm {
  const { lock, records, attempts, progress, revisions, totals } = sources;
  const sealed = progress.state === 'open';
  const { reporting, budgets } = lock.identity;
  const candidates = revisions.candidates.filter((candidate) => candidate.arm === arm);
  const champions = records.filter((record) => record.kind === 'champion' && record.arm === arm) as ChampionRecord[];
  const ended = progress.searches.get(arm)?.reason ?? null;
  return {
    arm,
    updater,
    ended,
    endedBy: progress.searches.get(arm)?.end ?? null,
    candidates: candidates.map(({ name, commit, digest }) => ({
      revision: name,
      commit,
      digest,
      selection: splitNumbers(lock, attempts, digest, 'selection', sealed),
    })),
    champions: champions.map(({ label, candidate, commit, revision }) => ({
      label,
      claimed: label === (reporting.rule === 'gated' ? 'gated' : 'bestEvolved'),
      revision: revisionName(candidate),
      commit,
      digest: revision,
      ...measuredNumbers(lock, attempts, revision, sealed),
    })),
    none: ChampionLabel.options
      .filter((label) => !champions.some((champion) => champion.label === label))
      .map((label) => ({ label, why: whyNone(label, ended, progress.phase, candidates.length) })),
    queries: {
      used: records.filter(
        (record) =>
          record.kind === 'query' && record.arm === arm && record.state === 'disclosed' && record.query !== null,
      ).length,
      cap: budgets.arm.selectionQueries,
    },
    tokens: totals.ofArm(arm),
  };
}

function whyNone(label: ChampionLabel, ended: string | null, phase: string, candidates: number): string {
  if (ended === null) return phase === 'cancelled' ? 'cancelled before its search ended' : 'its search has not ended';
  if (phase === 'search' || phase === 'freeze') return 'not frozen yet';
  if (label === 'gated') return 'H0 has no selection number';
  return candidates === 0 ? 'no candidate' : 'no candidate was evaluated';
}
