import type { JudgeReport } from '../schema/judgement.ts';
import { codeUnitOrder } from './code-unit-order.ts';

const tolerance = 1e-6;

/** What a replay has to earn; a field that is not declared is not compared. */
export interface DeclaredReplay {
  /** Closed interval of the reward; `[0, 0]` means exactly 0. */
  readonly reward: readonly [number, number];
  readonly delivered?: boolean | undefined;
  /** Ids of criteria not fully met, in the judge's order. */
  readonly failing?: readonly string[] | undefined;
  /** Ids of criteria that the judge could not decide, in its order. */
  readonly unknown?: readonly string[] | undefined;
  /** Categories of the failing criteria, each once, sorted. */
  readonly categories?: readonly string[] | undefined;
}

/** One sentence per way in which a verdict is not the declared one; empty when it is. `null`: there was no verdict. */
export function replayMisses(declared: DeclaredReplay, report: JudgeReport | null): string[] {
  if (report === null) return ['the judge gave no verdict'];
  const [low, high] = declared.reward;
  const slack = low === 0 && high === 0 ? 0 : tolerance;
  const inside = report.reward >= low - slack && report.reward <= high + slack;
  const failing = report.criteria.filter(({ status }) => status === 'fail' || status === 'partial');
  const seen = {
    delivered: report.delivered,
    failing: failing.map(({ id }) => id),
    unknown: report.criteria.filter(({ status }) => status === 'unknown').map(({ id }) => id),
    categories: [...new Set(failing.map(({ category }) => category))].toSorted(codeUnitOrder),
  };
  return [
    ...(inside ? [] : [`reward ${report.reward}, declared ${low === high ? low : `${low} to ${high}`}`]),
    ...(['delivered', 'failing', 'unknown', 'categories'] as const).flatMap((name) => {
      const wanted = declared[name];
      if (wanted === undefined || textOf(wanted) === textOf(seen[name])) return [];
      return [`${name} ${textOf(seen[name])}, declared ${textOf(wanted)}`];
    }),
  ];
}

function textOf(value: boolean | readonly string[]): string {
  if (typeof value === 'boolean') return String(value);
  return value.length === 0 ? 'none' : value.join(' ');
}
