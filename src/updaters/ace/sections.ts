import type { Playbook, Section } from './playbook.ts';

/** The playbook's own sections, in the order in which they stand, and the slug of each one's ids. */
export const playbookSections = [
  { name: 'STRATEGIES & INSIGHTS', slug: 'sai' },
  { name: 'FORMULAS & CALCULATIONS', slug: 'calc' },
  { name: 'CODE SNIPPETS & TEMPLATES', slug: 'code' },
  { name: 'COMMON MISTAKES TO AVOID', slug: 'err' },
  { name: 'PROBLEM-SOLVING HEURISTICS', slug: 'prob' },
  { name: 'CONTEXT CLUES & INDICATORS', slug: 'ctx' },
  { name: 'OTHERS', slug: 'misc' },
] as const;

/** A header's key: lower case, `&` read as `and`, blanks and hyphens as `_`. Two names with one key are one section. */
export function sectionKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll(/[\s_-]+/g, '_');
}

/** A section by its header, the slug that new ids in it begin with, and whether the wanted name led there. */
export type SectionChoice = { readonly name: string; readonly slug: string; readonly known: boolean };

/**
 * Where a new bullet goes: one of the playbook's own sections, a section that the playbook has already, or OTHERS
 * (`known` false) for any other name.
 */
export function chooseSection(playbook: Playbook, wanted: string): SectionChoice {
  const key = sectionKey(wanted);
  const own = playbookSections.find(({ name }) => sectionKey(name) === key);
  if (own !== undefined) return { ...own, known: true };
  const present = playbook.sections.find(({ name }) => name !== null && sectionKey(name) === key);
  if (present?.name) return { name: present.name, slug: slugOf(present.name), known: true };
  return { name: 'OTHERS', slug: 'misc', known: false };
}

/** Three or four letters: the start of one word, or the initials of several; `misc` where that gives fewer than three. */
function slugOf(name: string): string {
  const words = sectionKey(name).match(/[a-z]+/g) ?? [];
  const [first = ''] = words;
  const slug =
    words.length === 1
      ? first.slice(0, 4)
      : words
          .map((word) => word.slice(0, 1))
          .join('')
          .slice(0, 5);
  return slug.length >= 3 ? slug : 'misc';
}

/** The playbook with that section present; a missing one is put in the order of `playbookSections`. */
export function withSection(playbook: Playbook, name: string): Playbook {
  const key = sectionKey(name);
  const has = playbook.sections.some((section) => section.name !== null && sectionKey(section.name) === key);
  if (has) return playbook;
  const rank = rankOf(name);
  const before = playbook.sections.findLastIndex((section) => section.name === null || rankOf(section.name) <= rank);
  const section: Section = { name, lines: [] };
  return { sections: playbook.sections.toSpliced(before + 1, 0, section) };
}

/** Position among the playbook's own sections; foreign sections come before OTHERS. */
function rankOf(name: string): number {
  const index = playbookSections.findIndex((section) => sectionKey(section.name) === sectionKey(name));
  return index === -1 ? playbookSections.length - 1.5 : index;
}
