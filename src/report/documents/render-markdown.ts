import type { MeasuredRevision, Report, SplitNumbers } from '../../schema/report.ts';
import { championRows, type ChampionRow } from '../numbers/champion-rows.ts';
import { auditLine } from '../numbers/last-audit.ts';
import { markdownTable } from './markdown.ts';
import { notDoneSection, outcomeSection, resourceSections } from './markdown-sections.ts';
import { deltaText, pointsText } from '../layout/number-text.ts';
import { armLines, floorLines } from './report-lines.ts';

/** Decisions of one kind that are written out. */
const decisionsShown = 5;

/** The report as a document: the shapes of the paper's Table 4, A10 and A11, outcome classes, denominators, decisions. */
export function renderMarkdown(report: Report): string {
  const sections = [
    `# ${report.name} (${report.experiment})`,
    ...report.labels.map((label) => `> **${label}**`),
    auditLine(report),
    ...(report.state === 'open' ? [`Phase ${report.phase}: finals stay sealed and are shown as counts.`] : []),
    ...(report.state === 'cancelled' ? ['Cancelled: numbers cover what had been scored by then.'] : []),
    '## Results',
    'Scores are 100 × mean reward over scored tasks, agent errors included. Δ is the change from H0 on the tasks that both have scored, computed before rounding. Selection and final tasks are disjoint.',
    resultsTable(report),
    ...floorLines(report).map((line) => `**${line.replace(/^! +/, '')}**`),
    report.arms
      .flatMap((arm) => armLines(report, arm))
      .map((line) => `- ${line.trim()}`)
      .join('\n'),
    ...intervalNote(report),
    ...candidateSection(report),
    ...outcomeSection(report),
    ...resourceSections(report),
    ...notDoneSection(report),
    ...decisionSection(report),
    ...report.findings.map(({ code, text }) => `**FAIL ${code}: ${text}**`),
    '## Identity',
    identityList(report),
  ];
  return `${sections.join('\n\n')}\n`;
}

function resultsTable(report: Report): string {
  const { baseline } = report;
  const columns = [
    ['Selection', baseline.selection],
    ['In-domain', baseline.inDomain],
    ['Cross-office', baseline.crossOffice],
    ['All', baseline.all],
  ] as const;
  const head = ['', ...columns.flatMap(([name, { planned }]) => [`${name} (${planned})`, 'Δ', 'scored'])];
  return markdownTable(
    head,
    championRows(report).map((row) => [rowName(row), ...cellsOf(row.numbers)]),
  );
}

function rowName({ arm, revision, labels, claimed }: ChampionRow): string {
  if (arm === null) return 'H0';
  const name = `${arm} ${revision}${labels.length === 0 ? '' : ` (${labels.join(', ')})`}`;
  return claimed ? `**${name}**` : name;
}

function cellsOf(numbers: MeasuredRevision | null): string[] {
  if (numbers === null) return Array<string>(12).fill('-');
  return [numbers.selection, numbers.inDomain, numbers.crossOffice, numbers.all].flatMap((cell) => [
    cell.verdict.kind === 'sealed' ? 'sealed' : pointsText(cell.mean, 2),
    cell.verdict.kind === 'sealed' ? '' : deltaText(cell.delta, 2),
    coverageText(cell),
  ]);
}

function coverageText({ scored, planned, verdict }: SplitNumbers): string {
  const claim = verdict.kind === 'below_floor' || verdict.kind === 'h0_below_floor' ? ' (no claim)' : '';
  return `${scored}/${planned}${claim}`;
}

function intervalNote(report: Report): string[] {
  return report.state === 'open'
    ? []
    : [
        `No interval and no p-value: ${report.baseline.inDomain.planned} in-domain and ${report.baseline.crossOffice.planned} cross-office tasks, one run of each.`,
      ];
}

function candidateSection(report: Report): string[] {
  const rows = report.arms.flatMap(({ arm, candidates }) =>
    candidates.map(({ revision, digest, selection }) => [
      `${arm} ${revision}`,
      pointsText(selection.mean, 2),
      deltaText(selection.delta, 2),
      coverageText(selection),
      digest.slice(0, 12),
    ]),
  );
  if (rows.length === 0) return [];
  return ['## Candidates on selection', markdownTable(['', 'Score', 'Δ', 'scored', 'digest'], rows)];
}

/** Decisions in order; more than a few of one kind are counted. */
function decisionSection(report: Report): string[] {
  const seen = new Map<string, number>();
  const lines = report.decisions.flatMap(({ arm, event, reason }) => {
    const kind = `${arm ?? 'engine'}: ${event}`;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count <= decisionsShown ? [`- ${kind}: ${reason}`] : [];
  });
  const more = [...seen]
    .filter(([, count]) => count > decisionsShown)
    .map(([kind, count]) => `- ${kind}: ${count - decisionsShown} more in the JSON report`);
  return lines.length === 0 ? [] : ['## Decisions', [...lines, ...more].join('\n')];
}

function identityList(report: Report): string {
  return [
    `- config sha256:${report.digest}, engine ${report.engine}`,
    `- H0 sha256:${report.baseline.digest}`,
    ...report.arms.flatMap(({ arm, champions }) =>
      champions.map(({ label, revision, digest }) => `- ${arm} ${label}: ${revision} sha256:${digest}`),
    ),
    `- claims rest on: ${report.reporting.rule}; coverage floors ${100 * report.reporting.coverageFloor.selection} % selection, ${100 * report.reporting.coverageFloor.final} % finals; disclosed numbers rounded to ${report.reporting.disclosurePoints} points`,
  ].join('\n');
}
