import { plainText } from '../../domain/plain-text.ts';

/** Text fit to stand in a playbook line, or why it is not. */
export type BulletContent =
  | { readonly kind: 'content'; readonly content: string }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Makes one physical line of a rule's text: line breaks become blanks, control and escape sequences go. Refuses text
 * that would read as playbook structure or as a template, and what is no text at all.
 */
export function bulletContent(raw: unknown): BulletContent {
  if (typeof raw !== 'string') return { kind: 'refused', why: 'content is no text' };
  const content = plainText(raw.replaceAll(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (content === '') return { kind: 'refused', why: 'content is empty' };
  if (/\b[a-z]{2,}-\d{5}\b/i.test(content)) return { kind: 'refused', why: 'content holds a bullet id' };
  for (const mark of ['##', '{{', '{%']) {
    if (content.includes(mark)) return { kind: 'refused', why: `content holds ${mark}` };
  }
  return { kind: 'content', content };
}
