import type { Report, SplitNumbers } from '../../schema/report.ts';
import { championRows, type ChampionRow } from '../numbers/champion-rows.ts';
import { auditLine } from '../numbers/last-audit.ts';
import { armLines, errorLine, floorLines, repeatLine, tokenLine, unscoredLine } from './report-lines.ts';
import { capLines, moneyLines, notDoneLines, partLines, servedLines } from './money-lines.ts';
import { deltaText, pointsText, tokensText } from '../layout/number-text.ts';
import { plainPalette, type Palette, type ScreenSettings } from '../layout/palette.ts';
import { textTable } from '../layout/text-table.ts';

/**
 * The report as `anneal report` prints it: results, coverage, outcome classes, tokens, the next command. `wayOn` is that
 * of an open experiment that waits for a person, null where none does.
 */
export function renderReport(
  report: Report,
  { columns, palette }: ScreenSettings = { columns: 100, palette: plainPalette },
  wayOn: string | null = null,
): string {
  const plain = resultsTable(report, plainPalette, true);
  const wide = plain.split('\n').every((line) => line.length <= columns);
  const table = resultsTable(report, palette, wide);
  const lines = [
    `${palette.bold(report.experiment)}  ${report.name}  ${stateText(report)}`,
    ...report.labels.map((label) => palette.yellow(label)),
    '',
    table,
    '',
    ...(report.state === 'open' ? ['finals stay sealed until the report: counts only'] : []),
    'points = 100 × mean reward, agent errors included; (Δ) from H0 on the same tasks',
    ...floorLines(report).map((line) => palette.red(line)),
    ...report.arms.flatMap((arm) => armLines(report, arm)),
    ...errorLine(report),
    ...repeatLine(report),
    ...unscoredLine(report),
    ...tokenLine(report),
    ...(wide ? [] : updaterLine(report)),
    ...moneyLines(report),
    ...capLines(report),
    ...partLines(report),
    ...servedLines(report),
    ...notDoneLines(report).map((line) => palette.yellow(line)),
    ...intervalLine(report),
    auditLine(report),
    ...report.findings.map(({ text }) => palette.red(`FAIL  ${text}`)),
    ...nextCommands(report, wayOn).map((command, index) => `${index === 0 ? palette.dim('next') : '    '}  ${command}`),
  ];
  return lines.join('\n');
}

function stateText(report: Report): string {
  return report.state === 'open' ? `in phase ${report.phase}` : report.state;
}

/** The results; without its last column where that does not fit. */
function resultsTable(report: Report, palette: Palette, wide: boolean): string {
  const head = [
    'arm',
    'selection',
    'in-domain',
    'cross-office',
    'all',
    'coverage',
    ...(wide ? ['updater tokens'] : []),
  ];
  const rows = championRows(report).map((row) => tableRow(report, row, wide));
  return textTable([head.map((text) => palette.dim(text)), ...rows]);
}

function tableRow(report: Report, row: ChampionRow, wide: boolean): string[] {
  const name = row.arm === null ? row.revision : `${row.arm} ${row.revision}`;
  const { numbers } = row;
  if (numbers === null) return [name, '-', '-', '-', '-', '-', ...(wide ? [updaterText(report, row)] : [])];
  const cells = [numbers.selection, numbers.inDomain, numbers.crossOffice, numbers.all];
  const scored = numbers.selection.scored + numbers.all.scored;
  const planned = numbers.selection.planned + numbers.all.planned;
  return [
    name,
    ...cells.map((cell) => cellText(cell, row.arm !== null)),
    `${scored}/${planned}`,
    ...(wide ? [updaterText(report, row)] : []),
  ];
}

function cellText(cell: SplitNumbers, withDelta: boolean): string {
  if (cell.verdict.kind === 'empty') return '-';
  if (cell.verdict.kind === 'sealed') return `${cell.scored}/${cell.planned} sealed`;
  const delta = withDelta && cell.delta !== null ? ` (${deltaText(cell.delta)})` : '';
  const coverage = cell.scored < cell.planned ? ` ${cell.scored}/${cell.planned}` : '';
  const claim = cell.verdict.kind === 'covered' ? '' : '!';
  return `${pointsText(cell.mean)}${delta}${coverage}${claim}`;
}

/** What the last column of the table would have said of several arms; of one the totals do. */
function updaterLine(report: Report): string[] {
  if (report.arms.length < 2) return [];
  const parts = report.arms.map(({ arm }) => `${arm} ${updaterText(report, { arm })}`);
  return [`updater tokens  ${parts.join(' · ')} (reported / charged)`];
}

function updaterText(report: Report, { arm }: Pick<ChampionRow, 'arm'>): string {
  const tokens = report.arms.find((candidate) => candidate.arm === arm)?.tokens.updater;
  if (tokens === undefined || tokens.reported === null) return '-';
  return `${tokensText(tokens.reported)} / ${tokensText(tokens.charged)}`;
}

/** With a handful of tasks per split an interval would say less than it seems to. */
function intervalLine(report: Report): string[] {
  const sizes = [report.baseline.inDomain.planned, report.baseline.crossOffice.planned].filter((size) => size > 0);
  if (report.state === 'open' || sizes.length === 0) return [];
  return [`no interval and no p-value: ${sizes.join(' and ')} final tasks, one run of each`];
}

function nextCommands(report: Report, wayOn: string | null): string[] {
  if (report.state === 'open') return [wayOn ?? `anneal watch ${report.experiment}`];
  const evolved = report.arms.flatMap(({ arm, champions }) =>
    champions.filter(({ revision }) => revision !== 'h0').map(({ revision }) => ({ arm, revision })),
  )[0];
  const files = `anneal report ${report.experiment} --format md,csv -o reports`;
  if (evolved === undefined) return [files];
  const name = report.arms.length > 1 ? `${evolved.arm}/${evolved.revision}` : evolved.revision;
  return [`anneal diff ${report.experiment} h0..${name}`, files];
}
