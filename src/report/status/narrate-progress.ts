import { deltaText, pointsText } from '../layout/number-text.ts';
import type { Status, StatusPass } from './status.ts';

/**
 * What changed between two looks, one line each, for terminals that cannot redraw. `null` before the first look.
 * Attempts are told per pass, however many ended in between; what belongs to an earlier phase stands before the new one.
 */
export function narrateProgress(before: Status | null, after: Status): string[] {
  const isNewPhase = before?.phase !== after.phase;
  const passes = inOrderOfRevisions(after.passes);
  const earlier = passes.filter((pass) => !(isNewPhase && startedIn(pass) === after.phase));
  const later = passes.filter((pass) => !earlier.includes(pass));
  const tell = (some: readonly StatusPass[]): string[] =>
    some.flatMap((pass) => passLine(findPass(before, pass), pass, after));
  return [
    ...tell(earlier),
    ...after.budgets
      .filter(({ arm, ended }) => ended !== null && endedBefore(before, arm) === null)
      .map(({ arm, ended }) => `${arm.padEnd(9)} search ended: ${ended}`),
    ...(isNewPhase ? [`phase     ${after.phase}`] : []),
    ...(before !== null && before.state !== after.state && after.state !== after.phase
      ? [`state     ${after.state}`]
      : []),
    ...tell(later),
    ...after.needs
      .filter(({ what }) => !(before?.needs ?? []).some((need) => need.what === what))
      .flatMap(({ what, command, why, notSpent }) => [
        `needs you ${what}     ${command}`,
        ...[why, notSpent].filter((text) => text !== undefined).map((text) => `          ${text}`),
      ]),
  ];
}

/** What a revision did on feedback stands before what came of it. */
function inOrderOfRevisions(passes: readonly StatusPass[]): StatusPass[] {
  const place = ({ split, arm, revision }: StatusPass): number =>
    split === 'final'
      ? passes.length
      : passes.findIndex((pass) => pass.split === 'selection' && pass.arm === arm && pass.revision === revision);
  return passes.toSorted((left, right) => place(left) - place(right));
}

/** Phase in which the attempts of a pass run. */
function startedIn({ split, revision }: StatusPass): string {
  if (split === 'final') return 'final';
  return split === 'selection' && revision === 'h0' ? 'baseline' : 'search';
}

function endedBefore(before: Status | null, arm: string): string | null {
  return before?.budgets.find((budget) => budget.arm === arm)?.ended ?? null;
}

function findPass(before: Status | null, { split, arm, revision }: StatusPass): StatusPass | undefined {
  return before?.passes.find((pass) => pass.split === split && pass.arm === arm && pass.revision === revision);
}

function passLine(before: StatusPass | undefined, pass: StatusPass, { budgets }: Status): string[] {
  const done = pass.scored + pass.infra + pass.cancelled;
  const doneBefore = before === undefined ? 0 : before.scored + before.infra + before.cancelled;
  if (done === doneBefore) return [];
  const name =
    pass.revision === null ? '' : ` ${budgets.length > 1 && pass.arm !== null ? `${pass.arm} ` : ''}${pass.revision}`;
  const errors = pass.agentErrors > 0 ? `, ${pass.agentErrors} agent error` : '';
  const infra = pass.infra > 0 ? `, ${pass.infra} infra` : '';
  const mean =
    pass.mean === null
      ? ''
      : `     ${pointsText(pass.mean)}${pass.delta === null || pass.revision === 'h0' ? '' : ` (${deltaText(pass.delta)})`}`;
  return [`${pass.split.padEnd(9)}${name} ${pass.scored} of ${pass.planned} scored${errors}${infra}${mean}`];
}
