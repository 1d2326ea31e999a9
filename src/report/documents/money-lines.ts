import { moneyText } from '../../domain/money-text.ts';
import type { Report, ReportedCap } from '../../schema/report.ts';
import { countText, tokensText } from '../layout/number-text.ts';

/** The whole experiment's money by role, with its coverage: what is not known is said, never counted as nothing. */
export function moneyLines(report: Report): string[] {
  const { money, tokens, caps } = report.resources;
  if (tokens === null) return [];
  const [first] = money.models;
  if (first !== undefined && money.models.every(({ price }) => price.kind === 'free')) {
    return [`money   no cost: ${first.price.kind === 'free' ? first.price.why : ''}`];
  }
  if (money.microUsd === null) return [];
  const parts = tokens.filter(({ calls }) => calls > 0).map((role) => `${role.role} ${roleMoney(role)}`);
  const total = money.unpricedCalls > 0 ? `at least ${moneyText(money.microUsd)}` : moneyText(money.microUsd);
  const cap = caps.find(({ kind }) => kind === 'money');
  return [
    `money   ${parts.join(' · ')} = ${total}${cap === undefined ? '' : ` of ${moneyText(cap.limit)}`}`,
    ...coverageLine(report).map((line) => `        ${line}`),
  ];
}

/** `price unknown for 1 of 3 models`, with what it leaves out; nothing where every price is known. */
export function coverageLine({ resources: { money } }: Report): string[] {
  const unknown = money.models.filter(({ price }) => price.kind === 'unknown');
  if (unknown.length === 0) return [];
  const names = unknown.map(({ model, roles }) => `${model} (${roles.join(', ')})`).join(', ');
  return [
    `price unknown for ${unknown.length} of ${countText(money.models.length, 'model')}: ${names}; ${countText(money.unpricedCalls, 'call')} not in the sum`,
  ];
}

/** Money of one role; what is not known is no number. */
export function roleMoney({ microUsd, unpricedCalls }: { microUsd: number | null; unpricedCalls: number }): string {
  if (microUsd === null || (microUsd === 0 && unpricedCalls > 0)) return 'unknown';
  return unpricedCalls > 0 ? `at least ${moneyText(microUsd)}` : moneyText(microUsd);
}

/** Caps other than money's, which stands with the money. */
export function capLines({ resources: { caps } }: Report): string[] {
  return caps.filter(({ kind }) => kind !== 'money').map((cap) => `cap     ${capText(cap)}`);
}

/** `41.2k of 100k solver tokens`, `$12.00 of $50.00`. */
export function capText({ kind, limit, used }: ReportedCap): string {
  if (kind === 'money') return `${used === null ? '-' : moneyText(used)} of ${moneyText(limit)}`;
  return `${tokensText(used)} of ${tokensText(limit)} solver tokens`;
}

/** What limits left undone, one line each. */
export function notDoneLines({ notDone }: Report): string[] {
  return notDone.map(({ arm, what }) => `not done  ${arm === null ? '' : `${arm}: `}${what}`);
}

/** Parts of a role's tokens that providers told apart; nothing for roles without any. */
export function partLines({ served }: Report): string[] {
  return served.flatMap(({ role, served: models }) => {
    const of = (part: 'cacheRead' | 'cacheWrite' | 'reasoning'): number =>
      models.reduce((sum, model) => sum + (model[part] ?? 0), 0);
    const told = [
      ...(of('cacheRead') > 0 ? [`${tokensText(of('cacheRead'))} in read from a prompt cache`] : []),
      ...(of('cacheWrite') > 0 ? [`${tokensText(of('cacheWrite'))} in written to one`] : []),
      ...(of('reasoning') > 0 ? [`${tokensText(of('reasoning'))} out were reasoning`] : []),
    ];
    return told.length === 0 ? [] : [`parts   ${role}: ${told.join(', ')}`];
  });
}

/** Answers by a model that is not the pinned one by name; nothing where every answer was by that very name. */
export function servedLines({ served }: Report): string[] {
  return served.flatMap(({ role, pinned, policy, served: models }) => {
    const others = models.filter(({ model }) => model !== pinned);
    if (others.length === 0) return [];
    const names = others.map(({ model, calls }) => `${model} (${countText(calls, 'call')})`).join(', ');
    return [`served  ${role} ${pinned} was answered by ${names}; servedModel: ${policy}`];
  });
}
