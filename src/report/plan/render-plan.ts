import { moneyText } from '../../domain/money-text.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import { labelsOf } from '../layout/labels.ts';
import { countText, spanText, tokensText } from '../layout/number-text.ts';
import { type Palette, plainPalette } from '../layout/palette.ts';
import type { Estimate, EstimateBasis, PlanEstimate } from './plan-estimate.ts';
import { textTable } from '../layout/text-table.ts';
import { capShare, capWarnings } from './cap-lines.ts';

/** The screen of `anneal run FILE --dry-run`: what is to be done against what it may take, and where that comes from. */
export function renderPlan(lock: ExperimentLock, plan: PlanEstimate, palette: Palette = plainPalette): string {
  const moneyCap = plan.caps.find(({ kind }) => kind === 'money');
  const tokenCap = plan.caps.find(({ kind }) => kind === 'solver-tokens');
  const number = String;
  const rows = [
    ['', 'p50', 'p90', 'ceiling', 'limit'],
    row('attempts', plan.attempts, number, ''),
    row('solver tokens', plan.solverTokens, tokensText, tokenCap === undefined ? 'none' : tokensText(tokenCap.limit)),
    row('updater tokens', plan.updaterTokens, tokensText, tokensText(plan.updaterTokens.limit)),
    row('time', plan.wallMs, spanText, `${spanText(plan.wallMs.searchLimit)} of search`),
    ...(plan.money === 'free'
      ? [['money', 'no cost', '', '', '']]
      : [row('money', plan.microUsd, moneyText, moneyCap === undefined ? 'none' : moneyText(moneyCap.limit))]),
  ];
  return [
    `${palette.bold(plan.experiment)}  ${plan.name}  a plan: nothing was started, 0 tokens spent`,
    ...labelsOf(lock).map((label) => palette.yellow(label)),
    ...(isOver(plan) ? [`${plan.standing}: nothing is left to be done`] : []),
    '',
    textTable(rows.map((cells, index) => (index === 0 ? cells.map((text) => palette.dim(text)) : cells))),
    '',
    `attempts  ${plan.parts.map(({ part, attempts }) => `${part} ${attempts}`).join(' · ')}     ${countText(plan.lanes, 'lane')}`,
    `queries   ${plan.queries.planned} of ${plan.queries.limit}, those of H0 included`,
    `reused    ${reusedText(plan)}`,
    ...plan.caps.flatMap(capShare).map((text, index) => (index === 0 ? 'caps' : '').padEnd(10) + text),
    ...basisLines(plan),
    ...plan.unknownPrices.map((model) =>
      palette.red(`!  the price of ${model} is not known: money is unknown, not zero, and cannot be capped`),
    ),
    ...plan.caps.flatMap(capWarnings).map((line) => palette.red(line)),
  ].join('\n');
}

/** Whether the experiment came to its end: running it again does nothing. */
export function isOver({ standing }: PlanEstimate): boolean {
  return standing === 'complete' || standing === 'cancelled';
}

function row(name: string, { p50, p90, ceiling }: Estimate, text: (value: number) => string, limit: string): string[] {
  const cell = (value: number | null): string => (value === null ? 'unknown' : text(value));
  return [name, cell(p50), cell(p90), cell(ceiling), limit];
}

function reusedText({ parts, standing }: PlanEstimate): string {
  const reused = parts.reduce((sum, part) => sum + part.reused, 0);
  if (reused > 0) {
    const each = parts.filter((part) => part.reused > 0).map((part) => `${part.part} ${part.reused}`);
    return `${countText(reused, 'attempt')} on record are not run or paid again: ${each.join(' · ')}`;
  }
  return standing === 'known' ? 'nothing yet: it was started and has no scored attempt' : 'nothing: it is new here';
}

function basisLines({ solverBasis, updaterBasis, money }: PlanEstimate): string[] {
  const text = (basis: EstimateBasis, fallback: string): string =>
    basis.kind === 'records'
      ? `${countText(basis.attempts, 'attempt')} on record here (${basis.experiments.slice(0, 3).join(', ')}${basis.experiments.length > 3 ? ', …' : ''})`
      : fallback;
  return [
    `from      solver: ${text(solverBasis, 'no attempt of this model is on record here, so declared: 10 % of the token limit, 25 % of the wall limit')}`,
    `          updater: ${text(updaterBasis, 'no search of this model is on record here, so declared: as much for a feedback attempt as the attempt took')}`,
    '          p90 is of the sum of independent attempts; the ceiling is what the budgets let happen, every retry included',
    '          time is that of attempts over the lanes; calls of updaters and waits for rate limits come on top',
    ...(money === 'priced'
      ? ['          money that was not measured takes 85 % of the tokens as input, 15 % as output, nothing cached']
      : []),
  ];
}
