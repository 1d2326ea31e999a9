import type { Category } from '../schema/judgement.ts';
import type { Modality } from '../schema/splits.ts';

/** Kinds of tasks that feedback may hold; there is no lesson about cross-office tasks. */
export type LessonModality = Exclude<Modality, 'cross-office'>;

/** A general rule that the simulated reflector can learn. */
export interface Lesson {
  readonly modality: LessonModality;
  readonly category: Category;
  /** Part of `rule` by which the rule is known again in any text; published in the world files. */
  readonly phrase: string;
  readonly rule: string;
  /** Playbook section that it belongs to, as a header of the playbook. */
  readonly section: string;
}

const STRATEGIES = 'STRATEGIES & INSIGHTS';
const CALCULATIONS = 'FORMULAS & CALCULATIONS';
const MISTAKES = 'COMMON MISTAKES TO AVOID';
const HEURISTICS = 'PROBLEM-SOLVING HEURISTICS';

type Phrases = Record<Category, readonly [phrase: string, section: string]>;

const presentation: Phrases = {
  facts: ['carry a changed figure through footers and speaker notes', MISTAKES],
  'native-structure': ['draw data as native slide objects that keep their source', STRATEGIES],
  'protected-content': ['leave concealed and untouched slides in the state they came in', MISTAKES],
  'evidence-trace': ['attribute each claim on a slide to the material it rests on', STRATEGIES],
  'scope-privacy': ['put nothing on a slide beyond what was requested', MISTAKES],
  'cross-file': ['round a deck the same way as the data behind it', CALCULATIONS],
  'visual-layout': ['let no shape of a slide run into another', HEURISTICS],
};

const document: Phrases = {
  facts: ['hunt for occurrences in table cells, headers and split runs', MISTAKES],
  'native-structure': ['prefer real styles and fields to typed imitations', STRATEGIES],
  'protected-content': ['respect revisions and remarks of other authors', MISTAKES],
  'evidence-trace': ['place the paragraph reference next to each finding', STRATEGIES],
  'scope-privacy': ['strip personal data from every layer of the file', MISTAKES],
  'cross-file': ['copy quantities into prose from where they were computed', CALCULATIONS],
  'visual-layout': ['keep page breaks and spacing of the original layout', HEURISTICS],
};

const spreadsheet: Phrases = {
  facts: ['work out each result a second time along another path', CALCULATIONS],
  'native-structure': ['enter results as live formulas over their ranges', CALCULATIONS],
  'protected-content': ['save edits without disturbing sheets that were not named', MISTAKES],
  'evidence-trace': ['record beside a result which rows it was drawn from', STRATEGIES],
  'scope-privacy': ['report rows that exist and make up none', MISTAKES],
  'cross-file': ['join tables on all key columns before comparing', HEURISTICS],
  'visual-layout': ['apply formats to the requested cells and to no others', HEURISTICS],
};

const opening: Record<LessonModality, string> = {
  presentation: 'In presentation work',
  document: 'In document work',
  spreadsheet: 'In spreadsheet work',
};

/** The whole phrase book: one lesson for each in-domain modality and failed category. Public; updaters learn from it. */
export const lessons: readonly Lesson[] = (
  [
    ['presentation', presentation],
    ['document', document],
    ['spreadsheet', spreadsheet],
  ] as const
).flatMap(([modality, phrases]) =>
  (Object.keys(phrases) as Category[]).map((category) => {
    const [phrase, section] = phrases[category];
    const rule = `${opening[modality]}, ${phrase}; open the saved result again and check this before submitting.`;
    return { modality, category, phrase, rule, section };
  }),
);

/** The lesson about one failed category in one kind of task; every pair has one. */
export function lessonAbout(modality: LessonModality, category: Category): Lesson {
  const found = lessons.find((lesson) => lesson.modality === modality && lesson.category === category);
  if (found === undefined) throw new Error(`no lesson about ${modality}/${category}`);
  return found;
}

/** The lessons whose phrase stands in `text`, in the phrase book's order. */
export function lessonsIn(text: string): Lesson[] {
  return lessons.filter((lesson) => containsPhrase(text, lesson.phrase));
}

/** True when `phrase` stands in `text`; letter case and runs of white space do not count. */
export function containsPhrase(text: string, phrase: string): boolean {
  return plain(text).includes(plain(phrase));
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
