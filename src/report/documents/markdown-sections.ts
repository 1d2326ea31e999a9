import type { ModelPrice } from '../../schema/prices.ts';
import type { OutcomeClasses, Report, SolverResources } from '../../schema/report.ts';
import { markdownTable } from './markdown.ts';
import { capText, coverageLine, partLines, roleMoney, servedLines } from './money-lines.ts';
import { deltaText, tokensText } from '../layout/number-text.ts';

/** Outcome classes per split with H0's agent errors beside each revision's, and what the denominators are made of. */
export function outcomeSection(report: Report): string[] {
  const rows = report.outcomes.map((classes) => [
    nameOf(classes),
    classes.split,
    String(classes.planned),
    String(classes.ended),
    causesText(classes),
    String(classes.infra),
    String(classes.repeats),
    String(classes.cancelled),
    String(classes.missing),
  ]);
  const head = ['', 'split', 'planned', 'ended', 'agent errors (H0)', 'infra', 'repeats', 'cancelled', 'missing'];
  const denominators = report.attempts.map(({ split, tasks, records, canonical }) => [
    split,
    String(tasks),
    String(canonical),
    String(records - canonical),
  ]);
  return [
    '## Outcomes',
    'Ended and agent errors are scored; infrastructure, cancelled and missing are not, and never count as 0.',
    markdownTable(head, rows),
    markdownTable(['split', 'tasks', 'attempts that count', 'repeats after infrastructure failures'], denominators),
    ...(report.unscored.length === 0
      ? []
      : [
          report.unscored
            .map((entry) => `- unscored: ${entry.task} of ${nameOf(entry)} (${entry.split}): ${entry.why}`)
            .join('\n'),
        ]),
  ];
}

/** Solver resources (A10), updater cost beside gains (A11), the whole experiment's tokens. */
export function resourceSections(report: Report): string[] {
  const { solver, updates, tokens } = report.resources;
  return [
    ...(solver.length === 0 ? [] : ['## Solver resources per final task', ...solverTable(solver)]),
    ...(updates.length === 0
      ? []
      : [
          '## Updater cost and gains',
          markdownTable(
            [
              '',
              'updater tokens reported',
              'charged',
              'final inference',
              'records',
              'in-domain',
              'cross-office',
              'all',
            ],
            updates.map((row) => [
              row.arm === null ? 'H0' : `${row.arm} ${row.revision ?? 'none'}`,
              row.updater === null ? 'n/a' : tokensText(row.updater.reported),
              row.updater === null ? 'n/a' : tokensText(row.updater.charged),
              tokensText(row.finalInference.reported),
              `${row.finalInference.records}/${row.finalInference.planned}`,
              deltaText(row.inDomain, 2),
              deltaText(row.crossOffice, 2),
              deltaText(row.all, 2),
            ]),
          ),
          'Updater tokens are cumulative over the search. Feedback and selection attempts of the solver, and judging, are in the totals below only.',
        ]),
    ...(tokens === null
      ? []
      : [
          '## Tokens of the whole experiment',
          markdownTable(
            ['role', 'requests', 'reported', 'charged', 'of unknown end', 'charged for them', 'money'],
            tokens.map((total) => {
              const { role, calls, reported, charged, unknownRows, unknownCharged } = total;
              const counts = [role, calls, reported, charged, unknownRows, unknownCharged].map(String);
              return [...counts, calls === 0 ? '-' : roleMoney(total)];
            }),
          ),
          ...moneySection(report),
        ]),
  ];
}

function solverTable(solver: readonly SolverResources[]): string[] {
  const modalities = solver[0]?.byModality.map(({ modality }) => modality) ?? [];
  const head = ['', '(n tokens, n minutes)', ...[...modalities, 'all'].flatMap((name) => [`${name} tokens`, 'min'])];
  const rows = solver.map((row) => [
    nameOf(row),
    `${row.all.tokens.records}, ${row.all.minutes.records} of ${row.all.planned}`,
    ...[...row.byModality, row.all].flatMap(({ tokens, minutes }) => [
      tokensText(tokens.mean),
      minutes.mean === null ? '-' : minutes.mean.toFixed(2),
    ]),
  ]);
  return [
    'Mean reported tokens and mean execution time over the scored final attempts; a missing measurement is left out, never 0. Set-up, judging, queueing and waits for rate limits are not in the minutes.',
    markdownTable(head, rows),
  ];
}

function causesText({ agentErrors }: OutcomeClasses): string {
  if (agentErrors.length === 0) return '0';
  return agentErrors.map(({ cause, count, h0 }) => `${cause} ${count} (${h0})`).join(', ');
}

function nameOf({ arm, revision }: { readonly arm: string | null; readonly revision: string }): string {
  return arm === null ? 'H0' : `${arm} ${revision}`;
}

/** Prices that the money rests on, its coverage, caps, and models that answered. */
function moneySection(report: Report): string[] {
  const { money, caps } = report.resources;
  const rows = money.models.map(({ model, roles, price }) => [model, roles.join(', '), ...priceCells(price)]);
  return [
    markdownTable(['model', 'roles', '$ / M in', 'out', 'cache read', 'cache write', 'as of', 'source'], rows),
    ...coverageLine(report).map((line) => `**${line}**`),
    ...(caps.length === 0 ? [] : [`Caps over the whole experiment: ${caps.map(capText).join('; ')}.`]),
    ...[...partLines(report), ...servedLines(report)].map((line) => `- ${line}`),
  ];
}

function priceCells(price: ModelPrice): string[] {
  if (price.kind === 'free') return ['no cost', '-', '-', '-', '-', price.why];
  if (price.kind === 'unknown') return ['unknown', '-', '-', '-', '-', price.why];
  const { input, output, cacheRead, cacheWrite } = price.rates;
  const cells = [input, output, cacheRead, cacheWrite].map((rate) => String(rate / 1e6));
  return [...cells, price.asOf, price.source];
}

/** What limits left undone; nothing where nothing was. */
export function notDoneSection(report: Report): string[] {
  const lines = report.notDone.map(({ arm, what }) => `- ${arm === null ? '' : `${arm}: `}${what}`);
  return lines.length === 0 ? [] : ['## Not done', lines.join('\n')];
}
