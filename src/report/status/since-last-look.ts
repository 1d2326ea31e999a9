import type { ExperimentRecord } from '../../schema/record.ts';
import { countText, pointsText, spanText } from '../layout/number-text.ts';
import { revisionName } from '../revisions.ts';

/**
 * What happened to an experiment after `since`: one line, or null when nothing did. Finals are told as counts, their
 * results come with the report. Everything else is told in the order in which it happened.
 */
export function sinceLastLook(records: readonly ExperimentRecord[], since: string, now: number): string | null {
  const fresh = records
    .filter(({ at }) => at > since)
    .toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
  const attempts = fresh.filter((record) => record.kind === 'attempt');
  const count = (kind: string): number => attempts.filter(({ outcome }) => outcome.kind === kind).length;
  const errors = count('scored_with_agent_error');
  const infra = count('unscored_infra');
  const parts = [
    ...(attempts.length === 0
      ? []
      : [
          `${countText(attempts.length, 'attempt')} (${[
            `${count('scored') + errors} scored`,
            ...(errors > 0 ? [`${errors} with agent error`] : []),
            ...(infra > 0 ? [`${infra} infra`] : []),
          ].join(', ')})`,
        ]),
    ...fresh.flatMap((record) => happened(record)),
  ];
  return parts.length === 0
    ? null
    : `${spanText(now - Date.parse(since))} ago you looked last; since then ${parts.join(' · ')}`;
}

function happened(record: ExperimentRecord): string[] {
  switch (record.kind) {
    case 'revision':
      return record.candidate === 0 ? [] : [`${record.arm} submitted ${revisionName(record.candidate)}`];
    case 'query':
      return record.exact === null
        ? []
        : [`${record.arm} ${revisionName(record.candidate)} measured at ${pointsText(record.exact)}`];
    case 'champion':
      return [`${record.arm} ${record.label} frozen`];
    case 'decision':
      return decided(record);
    case 'attempt':
    case 'judgement':
    case 'disclosure':
    case 'usage':
      return [];
  }
}

function decided({ event, reason, arm }: Extract<ExperimentRecord, { kind: 'decision' }>): string[] {
  if (event === 'phase-started') return [`phase ${reason} began`];
  if (event === 'search-ended') return [`${arm ?? ''} search ended (${reason})`];
  if (event === 'experiment-held') return [`held: ${reason}`];
  if (event === 'experiment-released') return ['it went on'];
  if (event === 'experiment-closed') return [reason === 'cancelled' ? 'cancelled' : 'report written'];
  return [];
}
