import type { Report, ReportedArm, SplitNumbers } from '../../schema/report.ts';
import { labelWords } from '../numbers/champion-rows.ts';
import { countText, tokensText } from '../layout/number-text.ts';

const columnWords = {
  selection: 'selection',
  inDomain: 'in-domain',
  crossOffice: 'cross-office',
  all: 'all',
} as const;

/** One line per number on which nothing may be claimed, with both figures. */
export function floorLines(report: Report): string[] {
  const measured = [
    { name: 'h0', numbers: report.baseline },
    ...report.arms.flatMap(({ arm, champions }) =>
      champions.map((champion) => ({ name: `${arm} ${champion.revision}`, numbers: champion })),
    ),
  ];
  const lines = measured.flatMap(({ name, numbers }) =>
    (['selection', 'inDomain', 'crossOffice', 'all'] as const).flatMap((column) => {
      const line = floorLine(name, columnWords[column], numbers[column]);
      return line === null ? [] : [line];
    }),
  );
  return [...new Set(lines)];
}

function floorLine(name: string, column: string, { verdict }: SplitNumbers): string | null {
  // A number compared with an H0 below its floor needs no line of its own: H0's says it.
  if (verdict.kind !== 'below_floor') return null;
  const { scored, planned, floor } = verdict;
  return `!  ${column}: ${scored} of ${planned} tasks of ${name} are scored, the floor is ${100 * floor} %: nothing is claimed`;
}

/** What became of an arm: its champions, why its search ended, what it used. */
export function armLines(report: Report, arm: ReportedArm): string[] {
  const champions = arm.champions.map(({ label, revision }) => `${labelWords[label]} ${revision}`);
  const none = arm.none.map(({ label, why }) => `${labelWords[label]} none (${why})`);
  const rule = report.reporting.rule === 'gated' ? labelWords.gated : labelWords.bestEvolved;
  const claim = report.state === 'open' ? '' : `; claims rest on ${rule}`;
  const used = `${countText(arm.candidates.length, 'candidate')}, ${arm.queries.used} of ${arm.queries.cap} queries`;
  return [
    `${arm.arm}  ${[...champions, ...none].join(' · ')}${claim}`,
    `${' '.repeat(arm.arm.length)}  ${used}; ${arm.ended === null ? 'search not ended' : `search ended: ${arm.ended}`}`,
  ];
}

/** Agent errors over selection and finals by revision, H0 first; nothing when there are none. */
export function errorLine(report: Report): string[] {
  const revisions = new Map<string, Map<string, number>>();
  for (const { arm, revision, agentErrors } of report.outcomes) {
    const name = arm === null ? revision : `${arm} ${revision}`;
    const causes = revisions.get(name) ?? new Map<string, number>();
    revisions.set(name, causes);
    for (const { cause, count } of agentErrors) causes.set(cause, (causes.get(cause) ?? 0) + count);
  }
  const texts = [...revisions].map(([name, causes]) => {
    const total = [...causes.values()].reduce((sum, count) => sum + count, 0);
    const parts = [...causes].filter(([, count]) => count > 0).map(([cause, count]) => `${cause} ${count}`);
    return { total, text: `${name} ${total}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}` };
  });
  return texts.some(({ total }) => total > 0)
    ? [`agent errors  ${texts.map(({ text }) => text).join(' · ')}`]
    : texts.length === 0
      ? []
      : ['agent errors  none'];
}

/** Attempts made again after infrastructure failures, by revision with H0 first: a harness that provokes them has more. */
export function repeatLine(report: Report): string[] {
  const revisions = new Map<string, number>();
  for (const { arm, revision, repeats } of report.outcomes) {
    const name = arm === null ? revision : `${arm} ${revision}`;
    revisions.set(name, (revisions.get(name) ?? 0) + repeats);
  }
  if ([...revisions.values()].every((repeats) => repeats === 0)) return [];
  return [`repeats after infrastructure  ${[...revisions].map(([name, repeats]) => `${name} ${repeats}`).join(' · ')}`];
}

/** The first few tasks without a score, by id, and how many more there are. */
export function unscoredLine(report: Report): string[] {
  const { unscored } = report;
  if (unscored.length === 0) return [];
  const shown = unscored
    .slice(0, 4)
    .map(({ arm, revision, task, why }) => `${task} of ${arm === null ? revision : `${arm} ${revision}`} (${why})`);
  const more = unscored.length > shown.length ? ` … ${unscored.length - shown.length} more in --json` : '';
  return [`${unscored.length} unscored  ${shown.join(' · ')}${more}`];
}

/** The whole experiment's tokens by role, both counts. */
export function tokenLine(report: Report): string[] {
  const { tokens } = report.resources;
  if (tokens === null) return [];
  const parts = tokens
    .filter(({ calls }) => calls > 0)
    .map(({ role, reported, charged }) => `${role} ${tokensText(reported)} / ${tokensText(charged)}`);
  const unknown = tokens.reduce((sum, { unknownRows }) => sum + unknownRows, 0);
  const unknownCharged = tokens.reduce((sum, row) => sum + row.unknownCharged, 0);
  return [
    `tokens  ${parts.length === 0 ? 'none' : `${parts.join(' · ')} (reported / charged)`}`,
    ...(unknown === 0
      ? []
      : [`        ${countText(unknown, 'request')} of unknown end, charged in full: ${tokensText(unknownCharged)}`]),
  ];
}
