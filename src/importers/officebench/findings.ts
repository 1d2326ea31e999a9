import { extname } from 'node:path';
import type { ImportFinding, ImportStatus } from '../../schema/import-report.ts';
import type { SpecItem } from '../../schema/officebench.ts';
import type { NameCheck } from './name-check.ts';
import type { Replay, TaskReplays } from './replay.ts';

/** The script that leaves no copy of a mail with its sender. */
export const withoutSenderCopies = 'without-sender-copies';

/** Everything that decides whether a task may be listed. */
export interface TaskFacts {
  readonly items: readonly SpecItem[];
  readonly names: NameCheck;
  readonly replays: TaskReplays;
  /** The careless script's replay. */
  readonly careless: Replay;
  /** Curated reason why text and evaluation contradict each other, or null. */
  readonly overlay: string | null;
  readonly hasTestbed: boolean;
  /** Untouched inputs that the evaluation compares with, and that are not there. */
  readonly missingInputs: readonly string[];
  /** Inputs that show nothing but pixels. */
  readonly pictures: readonly string[];
  /** Expected files that are byte for byte an input. */
  readonly answersInInputs: readonly string[];
  /** Required files whose name has to be worked out from the inputs. */
  readonly answersInFileNames: readonly string[];
}

/** The verdict on a task: `reasons` for people, one sentence each, empty where it is listed. */
export interface Findings {
  readonly status: ImportStatus;
  readonly listed: boolean;
  readonly reasons: string[];
  readonly findings: ImportFinding[];
}

const precedence = ['inputs-missing', 'unsatisfiable', 'contradictory', 'vacuous'] as const;

/** What replays and names say about one task. Anything that misses an expected replay is not listed. */
export function findingsOf(facts: TaskFacts): Findings {
  const findings = [...decisive(facts), ...remarks(facts)];
  const status = precedence.find((kind) => findings.some((finding) => finding.kind === kind)) ?? 'ok';
  const reasons = findings
    .filter(({ kind }) => kind === status || (status === 'ok' && kind === 'corrupt-passes'))
    .map(({ detail }) => detail);
  const { corrupt, oracle } = facts.replays.replays;
  const careless = facts.careless.reward === 0 && facts.careless.defect === null;
  if (status === 'ok' && !careless) reasons.push('no careless script earns 0');
  const listed = status === 'ok' && oracle.reward === 1 && corrupt.reward === 0 && careless;
  return { status, listed, reasons: listed ? [] : reasons, findings };
}

function decisive(facts: TaskFacts): ImportFinding[] {
  const { replays, alternatives } = facts.replays;
  const found: ImportFinding[] = [];
  found.push(...facts.missingInputs.map((path) => ({ kind: 'inputs-missing' as const, detail: `${path} is missing` })));
  if (replays.oracle.reward !== 1) {
    const detail = shortcoming(replays.oracle, facts.items);
    if (alternatives[withoutSenderCopies]?.reward === 1) {
      found.push({ kind: 'contradictory', detail: `the sender’s own copy of the mail fails it: ${detail}` });
    } else found.push({ kind: 'unsatisfiable', detail });
  }
  found.push(...facts.names.contradictions.map((detail) => ({ kind: 'contradictory' as const, detail })));
  if (facts.overlay !== null) found.push({ kind: 'contradictory', detail: facts.overlay });
  for (const [name, where] of [
    ['empty', 'passes on an empty testbed'],
    ['unmodified', 'passes on the untouched inputs'],
  ] as const) {
    if (replays[name].reward === 1) found.push({ kind: 'vacuous', detail: where });
  }
  return found;
}

function remarks(facts: TaskFacts): ImportFinding[] {
  const { items } = facts;
  const { replays } = facts.replays;
  const found: ImportFinding[] = [];
  const remark = (kind: ImportFinding['kind'], detail: string) => found.push({ kind, detail });
  const free = items.filter((_, index) =>
    [replays.empty, replays.unmodified].some(({ items: seen }) => seen[index]?.passed === true),
  ).length;
  if (free > 0 && free < items.length) {
    remark('partly-vacuous', `${free} of ${items.length} items pass without any work`);
  }
  if (items.every(({ function: name }) => name === 'file_exist' || name === 'file_not_exist')) {
    remark('existence-only', 'only the existence of files is looked at');
  }
  if (replays.oracle.reward === 1 && replays.corrupt.reward !== 0) {
    remark('corrupt-passes', 'rubbish under the right file names passes');
  }
  const weak = items.flatMap((item) => ('keywords' in item ? item.keywords : [])).filter(({ length }) => length <= 2);
  if (weak.length > 0) remark('weak-keywords', `${weak.length} keywords of at most two characters`);
  if (facts.answersInInputs.length > 0) {
    remark('answer-in-inputs', `${facts.answersInInputs.join(', ')} lies among the inputs`);
  }
  if (facts.answersInFileNames.length > 0) {
    remark('answer-in-file-name', `the contract has to name ${facts.answersInFileNames.join(', ')}`);
  }
  if (facts.names.absent.length > 0) {
    remark('named-file-absent', `the text names ${facts.names.absent.join(', ')}`);
  }
  if (!facts.hasTestbed) remark('no-testbed', 'upstream has no testbed; data, emails and calendar are made');
  if (facts.pictures.length > 0) remark('needs-vision', facts.pictures.join(', '));
  return found;
}

function shortcoming(replay: Replay, items: readonly SpecItem[]): string {
  if (replay.defect !== null) return replay.defect;
  const failed = replay.items.flatMap((seen, index) =>
    seen.passed ? [] : [`item ${index + 1} (${items[index]?.function ?? '?'}): ${seen.observed}`],
  );
  return `written to the letter of its keys it still fails: ${failed.join('; ')}`;
}

const picture = /^\.(?:jpe?g|png|gif|bmp|tiff?)$/;

/** Whether a file shows nothing but pixels: a picture, or a PDF file without a text layer. */
export function isPicture(path: string, characters: number): boolean {
  const extension = extname(path).toLowerCase();
  return picture.test(extension) || (extension === '.pdf' && characters === 0);
}
