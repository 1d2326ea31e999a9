import { rewardOf } from '../../domain/outcome.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { AttemptRecord, ExperimentRecord } from '../../schema/record.ts';
import { canonicalAttempts } from '../../domain/canonical-attempts.ts';
import { csvText, type CsvCell } from './csv.ts';
import { progressOf } from '../status/progress.ts';
import { revisionsOf } from '../revisions.ts';

type Column = readonly [name: string, value: (record: AttemptRecord) => CsvCell];

const whyOf = ({ outcome }: AttemptRecord): string | null => {
  switch (outcome.kind) {
    case 'scored':
      return null;
    case 'scored_with_agent_error':
      return outcome.cause;
    case 'unscored_infra':
      return `${outcome.phase}: ${outcome.reason}`;
    case 'cancelled':
      return outcome.by;
  }
};

/**
 * One row per attempt record, repeats after infrastructure failures included; `canonical` marks those that count. Columns
 * never change their order; new ones are added at the end. Selection and final rows are left out until it is closed.
 */
export function renderCsv(lock: ExperimentLock, records: readonly ExperimentRecord[]): string {
  const sealed = progressOf(records).state === 'open';
  const attempts = canonicalAttempts(records);
  const canonical = new Set(attempts.all);
  const { h0, candidates } = revisionsOf(lock, records);
  const groups = new Map(lock.identity.tasks.map(({ id, leakageGroup }) => [id, leakageGroup]));
  const nameOf = ({ arm, revision }: AttemptRecord): string | null =>
    revision === h0.digest
      ? 'h0'
      : ((
          candidates.find((candidate) => candidate.digest === revision && candidate.arm === arm) ??
          candidates.find((candidate) => candidate.digest === revision)
        )?.name ?? null);
  /** Arms that made the revision, which `arm` does not tell of a final test: it is one for all. */
  const armsOf = ({ revision }: AttemptRecord): string =>
    revision === h0.digest
      ? 'h0'
      : candidates
          .filter(({ digest }) => digest === revision)
          .map(({ arm }) => arm)
          .join(' ');
  const columns: readonly Column[] = [
    ['experiment', ({ experiment }) => experiment],
    ['simulated', ({ simulated }) => simulated],
    ['world', ({ world }) => world],
    ['split', ({ split }) => split],
    ['task', ({ task }) => task],
    ['modality', ({ modality }) => modality],
    ['leakage_group', ({ task }) => groups.get(task) ?? null],
    ['phase', ({ phase }) => phase],
    ['arm', ({ arm }) => arm],
    ['revision', nameOf],
    ['digest', ({ revision }) => revision],
    ['replicate', ({ replicate }) => replicate],
    ['epoch', ({ epoch }) => epoch],
    ['canonical', (record) => canonical.has(record)],
    ['status', ({ outcome }) => outcome.kind],
    ['why', whyOf],
    ['reward', ({ outcome }) => rewardOf(outcome)],
    ['delivered', ({ judged }) => judged?.delivered ?? null],
    ['strict', ({ judged }) => judged?.strict ?? null],
    ['semantic', ({ judged }) => judged?.semantic ?? null],
    ['preservation', ({ judged }) => judged?.preservation ?? null],
    ['interaction', ({ judged }) => judged?.interaction ?? null],
    ['failed_categories', ({ judged }) => judged?.failedCategories.join(' ') ?? null],
    ['calls', ({ usage }) => usage.calls],
    ['retries', ({ usage }) => usage.retries],
    ['replayed_calls', ({ usage }) => usage.replayed],
    ['tokens_reported', ({ usage }) => usage.tokensReported],
    ['tokens_charged', ({ usage }) => usage.tokensCharged],
    ['tokens_inherited', ({ usage }) => usage.tokensInherited],
    ['unknown_requests', ({ usage }) => usage.unknownRows],
    ['seconds', ({ wallMs }) => wallMs / 1000],
    ['waited_seconds', ({ usage }) => usage.waitedMs / 1000],
    ['served_models', ({ usage }) => usage.servedModels.join(' ')],
    ['sandbox_level', ({ sandbox }) => sandbox.level],
    ['sandbox_cgroup', ({ sandbox }) => sandbox.cgroup],
    ['attempt_key', ({ key }) => key],
    ['recorded_at', ({ at }) => at],
    ['micro_usd_charged', ({ usage }) => usage.microUsdCharged ?? null],
    ['revision_arms', armsOf],
  ];
  const rows = attempts.records.filter(({ split }) => !sealed || split === 'feedback');
  return csvText(
    columns.map(([name]) => name),
    rows.map((record) => columns.map(([, value]) => value(record))),
  );
}
