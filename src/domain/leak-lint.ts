import type { LeakTerms } from '../schema/evidence.ts';
import { occurrencesOf } from './sealed-text.ts';
import { wordRuns } from './word-runs.ts';

/** What was quoted, by kind alone. */
export type Leak = 'task-id' | 'file-name' | 'reference-value' | 'rubric-text';

/** Consecutive words of a rubric sentence that make a quotation. */
export const rubricQuotationWords = 8;

/**
 * What a playbook rule quotes from the feedback tasks; empty = clean. A finding names the kind alone, since the
 * quoted value may be sealed. Terms come from feedback only: against other splits the answer would be an oracle.
 */
export function lintLeaks(content: string, terms: LeakTerms): Leak[] {
  const leaks: Leak[] = [];
  if (terms.taskIds.some((taskId) => quotesTaskId(content, taskId))) leaks.push('task-id');
  if (terms.fileNames.some((name) => occurs(content, baseName(name)))) leaks.push('file-name');
  if (terms.referenceValues.some((value) => quotesValue(content, value))) leaks.push('reference-value');
  if (quotesRubric(content, terms.rubricSentences)) leaks.push('rubric-text');
  return leaks;
}

/** The full id, or its part after the slash where that is long enough not to be a cell address such as D1. */
function quotesTaskId(content: string, taskId: string): boolean {
  const local = taskId.slice(taskId.indexOf('/') + 1);
  return occurs(content, taskId) || (local.length >= 5 && occurs(content, local));
}

/**
 * Numbers count from three digits on, texts from four characters. One plain lower-case word (`center`, `bold`) is
 * vocabulary, no value; any other single word must agree in case.
 */
function quotesValue(content: string, value: string): boolean {
  const text = value.trim();
  const digits = text.replaceAll(/\D/g, '').length;
  if (/^[-+\d.,%$€£\s]+$/.test(text)) return digits >= 3 && occurs(withoutSeparators(content), withoutSeparators(text));
  if (text.length < 4 || /^[a-z]+$/.test(text)) return false;
  return /^\p{L}+$/u.test(text) ? occurrencesOf(text, 'whole', 'g').test(content) : occurs(content, text);
}

function withoutSeparators(text: string): string {
  return text.replaceAll(/(?<=\d),(?=\d{3})/g, '');
}

function quotesRubric(content: string, sentences: readonly string[]): boolean {
  const runs = new Set(wordRuns(content, rubricQuotationWords));
  return (
    runs.size > 0 && sentences.some((sentence) => wordRuns(sentence, rubricQuotationWords).some((run) => runs.has(run)))
  );
}

function occurs(content: string, term: string): boolean {
  return term.trim() !== '' && occurrencesOf(term.trim(), 'whole').test(content);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
