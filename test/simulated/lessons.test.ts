import { describe, expect, it } from 'vitest';
import { rubricQuotationWords } from '../../src/domain/leak-lint.ts';
import { Category } from '../../src/schema/judgement.ts';
import { lessonAbout, lessons, lessonsIn } from '../../src/simulated/lessons.ts';
import { bulletContent } from '../../src/updaters/ace/bullet-content.ts';
import { playbookSections } from '../../src/updaters/ace/sections.ts';

describe('the phrase book', () => {
  it('has one lesson for each in-domain modality and category', () => {
    for (const modality of ['presentation', 'document', 'spreadsheet'] as const) {
      for (const category of Category.options) {
        expect(lessonAbout(modality, category)).toMatchObject({ modality, category });
      }
    }
    expect(lessons).toHaveLength(3 * Category.options.length);
  });

  it.each(lessons)('finds $modality/$category in its own rule and in no other', (lesson) => {
    expect(lessonsIn(lesson.rule)).toEqual([lesson]);
  });

  it.each(lessons)('finds $modality/$category again in capitals and broken over lines', (lesson) => {
    expect(lessonsIn(lesson.rule.toUpperCase().replaceAll(' ', '\n  '))).toEqual([lesson]);
  });

  it.each(lessons)('words $modality/$category as a bullet may be worded, in a section of the playbook', (lesson) => {
    expect(bulletContent(lesson.rule)).toEqual({ kind: 'content', content: lesson.rule });
    expect(playbookSections.map(({ name }) => name)).toContain(lesson.section);
  });

  it('shares no quotation-long run of words between the phrases of two lessons', () => {
    const runs = lessons.flatMap(({ phrase }) => {
      const words = phrase.split(' ');
      return words
        .slice(0, Math.max(0, words.length - rubricQuotationWords + 1))
        .map((_, start) => words.slice(start, start + rubricQuotationWords).join(' '));
    });
    expect(new Set(runs).size).toBe(runs.length);
  });

  it('holds no digits, file names or ids', () => {
    for (const { rule } of lessons) expect(rule).not.toMatch(/\d|\.\w|\[|_/);
  });
});
