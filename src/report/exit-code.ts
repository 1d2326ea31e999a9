import type { MeasuredRevision, Report } from '../schema/report.ts';

/** What a finished command says with its exit code: see `--help`. */
export type ExitCode = 0 | 2 | 3 | 4 | 5 | 6 | 7 | 130;

/**
 * 6 for records that contradict each other, 7 for a cancelled experiment, 3 for a reported number below its coverage
 * floor, 4 where a budget ended a search, else 0. An open experiment is 0 unless its records contradict each other.
 */
export function exitCodeOf(report: Report): ExitCode {
  if (report.findings.length > 0) return 6;
  if (report.state === 'open') return 0;
  if (report.state === 'cancelled') return 7;
  const champions = report.arms.flatMap((arm) => arm.champions);
  if ([report.baseline, ...champions].some(isBelowFloor)) return 3;
  return report.arms.some(({ endedBy }) => endedBy === 'budget' || endedBy === 'cap') ? 4 : 0;
}

function isBelowFloor({ selection, inDomain, crossOffice, all }: MeasuredRevision): boolean {
  return [selection, inDomain, crossOffice, all].some(({ verdict }) => verdict.kind === 'below_floor');
}
