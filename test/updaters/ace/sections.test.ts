import { describe, expect, it } from 'vitest';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { renderPlaybook } from '../../../src/updaters/ace/render-playbook.ts';
import { chooseSection, playbookSections, sectionKey, withSection } from '../../../src/updaters/ace/sections.ts';

const empty = parsePlaybook('');

describe('sections', () => {
  it.each([
    ['STRATEGIES & INSIGHTS', 'sai'],
    ['formulas and calculations', 'calc'],
    ['code_snippets_and_templates', 'code'],
    ['Common Mistakes To Avoid', 'err'],
    ['PROBLEM-SOLVING HEURISTICS', 'prob'],
    ['problem_solving_heuristics', 'prob'],
    ['problem solving heuristics', 'prob'],
    ['context clues & indicators', 'ctx'],
    ['others', 'misc'],
  ])('finds %s under every spelling, with slug %s', (name, slug) => {
    expect(chooseSection(empty, name)).toMatchObject({ slug, known: true });
  });

  it('has a slug of at least three letters for every section, so that every bullet can be cited', () => {
    expect(playbookSections.filter(({ slug }) => slug.length < 3)).toEqual([]);
  });

  it.each([
    ['## Layout', 'layout', 'Layout', 'layo'],
    ['## Tables of figures and dates', 'Tables of Figures & Dates', 'Tables of figures and dates', 'tofad'],
    ['## IO', 'io', 'IO', 'misc'],
  ])('uses a section that the playbook brings itself: %s', (text, wanted, name, slug) => {
    expect(chooseSection(parsePlaybook(text), wanted)).toEqual({ name, slug, known: true });
  });

  it('sends an unknown section to OTHERS', () => {
    expect(chooseSection(empty, 'general')).toEqual({ name: 'OTHERS', slug: 'misc', known: false });
  });

  it('creates a missing header in the order of the skeleton', () => {
    let playbook = empty;
    for (const name of ['OTHERS', 'CODE SNIPPETS & TEMPLATES', 'STRATEGIES & INSIGHTS', 'COMMON MISTAKES TO AVOID']) {
      playbook = withSection(playbook, name);
    }
    expect(renderPlaybook(playbook)).toBe(
      '## STRATEGIES & INSIGHTS\n## CODE SNIPPETS & TEMPLATES\n## COMMON MISTAKES TO AVOID\n## OTHERS\n',
    );
  });

  it('does not create a header twice', () => {
    const playbook = parsePlaybook('## problem-solving heuristics\n');
    expect(withSection(playbook, 'PROBLEM-SOLVING HEURISTICS')).toBe(playbook);
  });

  it('reads & as and, and hyphens and blanks alike', () => {
    expect(sectionKey(' A-B  & c ')).toBe('a_b_and_c');
  });
});
