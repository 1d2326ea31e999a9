import type { FeedbackEvidence } from '../schema/evidence.ts';
import { FeedbackEvidence as Evidence } from '../schema/evidence.ts';
import type { Category } from '../schema/judgement.ts';
import { lessonAbout, lessonsIn } from './lessons.ts';
import type { Lesson } from './lessons.ts';
import { playbookBullets } from './playbook-bullets.ts';
import type { PlaybookBullet } from './playbook-bullets.ts';
import { parsedJson } from '../domain/parsed-json.ts';

/** Lessons drawn from one attempt at most. */
const MOST_LESSONS = 2;

/** The part of the evidence that the reflector reads; a prompt shows it without transcript and version. */
const ShownEvidence = Evidence.pick({ modality: true, diagnostics: true, deliveryFaults: true, agentError: true });
type ShownEvidence = Pick<FeedbackEvidence, 'modality' | 'diagnostics' | 'deliveryFaults' | 'agentError'>;

/**
 * A reflection, as JSON, on the blocks `evidence`, `transcript` and `playbook` of a prompt. Each category in which
 * the attempt lost something gives one lesson of the phrase book, named in `key_insight`; rules that the transcript
 * cites are tagged. Quotes nothing of the task.
 */
export function reflect(blocks: Readonly<Record<string, string>>): string {
  const evidence = readEvidence(blocks['evidence'] ?? '');
  const categories = evidence === null ? [] : lostCategories(evidence);
  const lessons = evidence === null ? [] : learn(evidence, categories);
  const cited = playbookBullets(blocks['playbook'] ?? '').filter(({ id }) => blocks['transcript']?.includes(id));
  return JSON.stringify({
    reasoning: `${categories.length} kinds of checks did not pass; ${cited.length} rules were named as used.`,
    error_identification: categories.length === 0 ? 'Nothing was lost.' : `Losses in: ${categories.join(', ')}.`,
    root_cause_analysis: rootCause(evidence, categories),
    correct_approach: lessons.length === 0 ? 'Go on working in this way.' : 'Follow the rule below on every such task.',
    key_insight: lessons.map((lesson) => lesson.rule).join(' '),
    bullet_tags: cited.map((bullet) => ({ id: bullet.id, tag: tagOf(bullet, categories) })),
  });
}

function readEvidence(text: string): ShownEvidence | null {
  return ShownEvidence.safeParse(parsedJson(text)).data ?? null;
}

/** Categories of failed checks, in the order of the checks; where a hurdle hid the failures, those of unsettled checks. */
function lostCategories({ diagnostics, deliveryFaults }: ShownEvidence): Category[] {
  const failed = diagnostics.filter(({ status }) => status === 'fail' || status === 'partial');
  const unsettled = diagnostics.filter(({ status }) => status === 'unknown' || status === 'skipped');
  const lost = failed.length > 0 || deliveryFaults.length === 0 ? failed : unsettled;
  return [...new Set(lost.map(({ category }) => category))];
}

function learn({ modality }: ShownEvidence, categories: readonly Category[]): Lesson[] {
  if (modality === 'cross-office') return [];
  return categories.slice(0, MOST_LESSONS).map((category) => lessonAbout(modality, category));
}

function rootCause(evidence: ShownEvidence | null, categories: readonly Category[]): string {
  if (evidence === null) return 'The evidence could not be read.';
  if (evidence.agentError !== null) return 'The run broke off before the work was done.';
  return categories.length === 0 ? 'The work was read back before it was handed in.' : 'The result was not read back.';
}

/** Harmful where a rule was followed and what it is about was lost all the same. */
function tagOf(bullet: PlaybookBullet, categories: readonly Category[]): 'helpful' | 'harmful' | 'neutral' {
  if (categories.length === 0) return 'helpful';
  return lessonsIn(bullet.content).some(({ category }) => categories.includes(category)) ? 'harmful' : 'neutral';
}
