import type { Diagnostic, TranscriptEntry } from '../schema/evidence.ts';
import type { JudgeReport } from '../schema/judgement.ts';
import type { Split } from '../schema/splits.ts';
import type { Aggregate } from './aggregate.ts';
import { checkCoverage, type CoverageFloors } from './coverage-floor.ts';
import { disclose } from './disclosure.ts';
import { plainText } from './plain-text.ts';
import { removeSealed } from './sealed-text.ts';

/** Where something comes from; `static-run` = traces of the frozen reference runs. */
export type Source = Split | 'static-run';
/** Who asks to see something; the rows of the barrier. */
export type Reader = 'updater' | 'harness' | 'judge' | 'person';

/** What may be asked about. `person` reads before the run is closed; afterwards everything is open to a person. */
export type Content =
  | 'task-id'
  | 'instruction'
  | 'inputs'
  | 'transcript'
  | 'artifact'
  | 'score'
  | 'diagnostics'
  | 'crash-signature'
  | 'selection-number'
  | 'progress'
  | 'tests'
  | 'references';

const task = ['instruction', 'inputs'] as const;
const judged = ['tests', 'references', 'artifact', 'inputs'] as const;
const evidence = ['task-id', ...task, 'transcript', 'artifact', 'score', 'diagnostics', 'crash-signature'] as const;
const everything = [...evidence, 'selection-number', 'progress', 'tests', 'references'] as const;

/** The information barrier: who may read which content of which source. What is not listed is refused. */
export const barrier: Readonly<Record<Reader, Readonly<Record<Source, readonly Content[]>>>> = {
  updater: {
    feedback: evidence,
    selection: ['selection-number'],
    'final-in-domain': [],
    'final-cross-office': [],
    'static-run': [],
  },
  harness: {
    feedback: task,
    selection: task,
    'final-in-domain': task,
    'final-cross-office': task,
    'static-run': [],
  },
  judge: {
    feedback: judged,
    selection: judged,
    'final-in-domain': judged,
    'final-cross-office': judged,
    'static-run': [],
  },
  person: {
    feedback: everything,
    selection: ['selection-number', 'progress'],
    'final-in-domain': ['progress'],
    'final-cross-office': ['progress'],
    'static-run': everything,
  },
};

/** What the table says. Nothing that it leaves out may be read. */
export function mayRead(reader: Reader, source: Source, content: Content): boolean {
  return barrier[reader][source].includes(content);
}

/** What the engine holds, by content. */
export interface Materials {
  readonly 'task-id': string;
  readonly instruction: string;
  readonly inputs: readonly string[];
  readonly transcript: readonly TranscriptEntry[];
  readonly artifact: string;
  readonly score: number;
  readonly diagnostics: Pick<JudgeReport, 'criteria' | 'deliveryFaults'>;
  readonly 'crash-signature': string;
  readonly 'selection-number': {
    readonly aggregate: Pick<Aggregate, 'scored' | 'planned' | 'points'>;
    readonly stepPoints: number;
    readonly floors: CoverageFloors;
  };
  readonly progress: unknown;
  readonly tests: unknown;
  readonly references: unknown;
}

/** What an updater receives of it. */
export interface Projections {
  readonly 'task-id': string;
  readonly instruction: string;
  readonly inputs: readonly string[];
  readonly transcript: readonly TranscriptEntry[];
  readonly artifact: string;
  readonly score: number;
  readonly diagnostics: {
    readonly criteria: readonly Diagnostic[];
    readonly deliveryFaults: JudgeReport['deliveryFaults'];
  };
  readonly 'crash-signature': string;
  /** Points, rounded as configured. */
  readonly 'selection-number': number;
  readonly progress: never;
  readonly tests: never;
  readonly references: never;
}

/** What came through the barrier, or why nothing did. */
export type Visible<Value> =
  | {
      readonly kind: 'visible';
      readonly value: Value;
      /** Canaries and expected values taken out. */ readonly removed: number;
    }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * The one function that every byte for an updater passes. Refuses what the barrier does not list; projects the rest:
 * expected values and canary strings are taken out, texts lose control sequences, a selection number is rounded and
 * exists only at its coverage floor.
 */
export function visibleToUpdater<Kind extends Content>(
  content: Kind,
  source: Source,
  material: Materials[Kind],
  canaries: readonly string[],
): Visible<Projections[Kind]> {
  if (!mayRead('updater', source, content)) return { kind: 'refused', why: `${content} of ${source} is sealed` };
  return projections[content](material, canaries);
}

type Project<Kind extends Content> = (
  material: Materials[Kind],
  canaries: readonly string[],
) => Visible<Projections[Kind]>;

const refuseAlways = (): Visible<never> => ({ kind: 'refused', why: 'no updater ever reads this' });

const projections: { readonly [Kind in Content]: Project<Kind> } = {
  progress: refuseAlways,
  tests: refuseAlways,
  references: refuseAlways,
  'task-id': visibleText,
  instruction: visibleText,
  artifact: visibleText,
  'crash-signature': visibleText,
  inputs: (names, canaries) => gather(names.map((name) => visibleText(name, canaries))),
  transcript: (entries, canaries) =>
    gather(
      entries.map(({ role, text }) => mapVisible(visibleText(text, canaries), (shown) => ({ role, text: shown }))),
    ),
  score: (points) => ({ kind: 'visible', value: points, removed: 0 }),
  diagnostics: visibleDiagnostics,
  'selection-number': ({ aggregate, stepPoints, floors }) => {
    const coverage = checkCoverage('selection', aggregate, floors);
    if (coverage.kind === 'below_floor' || aggregate.points === null) {
      return { kind: 'refused', why: `selection covers ${aggregate.scored} of ${aggregate.planned} tasks` };
    }
    return { kind: 'visible', value: disclose(aggregate.points, stepPoints), removed: 0 };
  },
};

function visibleText(text: string, canaries: readonly string[]): Visible<string> & { kind: 'visible' } {
  const { text: shown, removed } = removeSealed(plainText(text), canaries, 'anywhere');
  return { kind: 'visible', value: shown, removed };
}

/** A criterion without `expected`; where its text or, unless it passed, what was seen quotes the expected value, that is taken out. */
function visibleDiagnostics(
  { criteria, deliveryFaults }: Materials['diagnostics'],
  canaries: readonly string[],
): Visible<Projections['diagnostics']> {
  let removed = 0;
  const show = (text: string, expected: string | null): string => {
    const free = removeSealed(plainText(text), canaries, 'anywhere');
    const shown = removeSealed(free.text, expected === null ? [] : [expected], 'whole');
    removed += free.removed + shown.removed;
    return shown.text;
  };
  const shown = criteria.map(({ expected, text, observed, ...rest }): Diagnostic => ({
    ...rest,
    text: show(text, expected),
    observed: show(observed, rest.status === 'pass' ? null : expected),
  }));
  const faults = deliveryFaults.map(({ file, fault }) => ({ file: show(file, null), fault }));
  return { kind: 'visible', value: { criteria: shown, deliveryFaults: faults }, removed };
}

function mapVisible<From, To>(visible: Visible<From> & { kind: 'visible' }, change: (value: From) => To) {
  return { ...visible, value: change(visible.value) };
}

function gather<Value>(parts: readonly (Visible<Value> & { kind: 'visible' })[]): Visible<Value[]> {
  return {
    kind: 'visible',
    value: parts.map(({ value }) => value),
    removed: parts.reduce((sum, { removed }) => sum + removed, 0),
  };
}
