import { type AttemptDraw, figuresOf } from '../../domain/attempt-draws.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { drawOf, likelyTotal } from '../../domain/likely-total.ts';
import { outputShare } from '../../domain/output-share.ts';
import { costCeiling } from '../../domain/price.ts';
import { microUsdCap } from '../../schema/budgets.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ExperimentRecord } from '../../schema/record.ts';
import type { ModelPrice } from '../../schema/prices.ts';
import type { EarlierExperiment } from './earlier-experiment.ts';
import { pricedModels } from '../numbers/money.ts';
import type { PlanEstimate, PlannedPart } from './plan-estimate.ts';
import { type Likely, plannedCap } from './planned-cap.ts';

interface MoneySources {
  readonly open: number;
  readonly solverTokens: Total;
  readonly updaterTokens: Total;
  readonly draws: readonly AttemptDraw[];
  readonly earlier: readonly EarlierExperiment[];
  readonly parts: readonly PlannedPart[];
  /** Records of this very experiment: what they drew is gone from the caps. */
  readonly own: readonly ExperimentRecord[];
}

type Total = Likely & { readonly ceiling: number };

/** Money of what is still to be done, and how it stands to the caps. Where a price is not known, so is the money. */
export function estimateMoney(
  lock: ExperimentLock,
  sources: MoneySources,
): Pick<PlanEstimate, 'microUsd' | 'money' | 'unknownPrices' | 'caps'> {
  const models = pricedModels(lock);
  const unknownPrices = models.filter(({ price }) => price.kind === 'unknown').map(({ model }) => model);
  const free = models.every(({ price }) => price.kind === 'free');
  const solverMoney = unknownPrices.length > 0 ? null : moneyOfSolver(lock, sources);
  const total = solverMoney === null ? null : totalMoney(lock, sources, solverMoney);
  const cap = microUsdCap(lock.identity.budgets);
  const tokenCap = lock.identity.budgets.experiment?.solverTokens;
  const spent = spentSoFar(sources.own);
  const ceiling = total === null ? null : Math.min(total.ceiling, cap ?? total.ceiling);
  return {
    money: unknownPrices.length > 0 ? 'unknown' : free ? 'free' : 'priced',
    unknownPrices,
    microUsd: total === null ? { p50: null, p90: null, ceiling: cap } : { ...total, ceiling },
    caps: [
      ...(cap === null
        ? []
        : [
            plannedCap(lock, sources, { kind: 'money', limit: cap, spent: spent.microUsd, solver: solverMoney, total }),
          ]),
      ...(tokenCap === undefined
        ? []
        : [
            plannedCap(lock, sources, {
              kind: 'solver-tokens',
              limit: tokenCap,
              spent: spent.tokens,
              solver: sources.solverTokens,
              total: sources.solverTokens,
            }),
          ]),
    ],
  };
}

/** What the attempts on record drew; an updater's part stands in the ledger alone until the experiment is closed. */
function spentSoFar(own: readonly ExperimentRecord[]): { readonly tokens: number; readonly microUsd: number } {
  const usages = own.flatMap((record) => (record.kind === 'attempt' ? [record.usage] : []));
  return {
    tokens: usages.reduce((sum, usage) => sum + usage.tokensCharged, 0),
    microUsd: usages.reduce((sum, usage) => sum + (usage.microUsdCharged ?? 0), 0),
  };
}

function moneyOfSolver(lock: ExperimentLock, sources: MoneySources): Likely {
  const measured = samePrice(lock, sources.earlier) ? drawOf(figuresOf(sources.draws, 'microUsd')) : null;
  return measured === null
    ? priced(lock.operational.prices?.solver, sources.solverTokens)
    : { p50: Math.ceil(sources.open * measured.mean), p90: likelyTotal(sources.open, measured) };
}

function totalMoney({ operational }: ExperimentLock, sources: MoneySources, solverMoney: Likely): Total {
  const { solver, updater } = operational.prices ?? {};
  const updaterMoney = priced(updater, sources.updaterTokens);
  return {
    p50: solverMoney.p50 + updaterMoney.p50,
    p90: solverMoney.p90 + updaterMoney.p90,
    ceiling: dearest(solver, sources.solverTokens.ceiling) + dearest(updater, sources.updaterTokens.ceiling),
  };
}

/** Money that was measured counts only where it was measured at today's price. */
function samePrice({ operational }: ExperimentLock, earlier: readonly EarlierExperiment[]): boolean {
  const today = canonicalJson(operational.prices?.solver ?? null);
  return earlier.every(({ lock }) => canonicalJson(lock.operational.prices?.solver ?? null) === today);
}

function priced(price: ModelPrice | undefined, { p50, p90 }: Likely): Likely {
  const of = (tokens: number): number => {
    const output = Math.ceil(tokens * outputShare);
    return price === undefined ? 0 : (costCeiling(withoutCache(price), Math.max(0, tokens - output), output) ?? 0);
  };
  return { p50: of(p50), p90: of(p90) };
}

/** Plain input and output: what is read from a cache and written to it is not foreseen. */
function withoutCache(price: ModelPrice): ModelPrice {
  if (price.kind !== 'rates') return price;
  const { input, output } = price.rates;
  return { ...price, rates: { input, output, cacheRead: input, cacheWrite: input }, longPrompt: null };
}

/** Every token at the dearest rate there is. */
function dearest(price: ModelPrice | undefined, tokens: number): number {
  if (price?.kind !== 'rates') return 0;
  const long = price.longPrompt?.rates ?? price.rates;
  const rate = Math.max(...Object.values(price.rates), ...Object.values(long));
  return Math.ceil((tokens / 1e6) * rate);
}
