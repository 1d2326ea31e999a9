import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { bulletsOf, nextIdOf, type Playbook } from '../../../src/updaters/ace/playbook.ts';
import { renderPlaybook } from '../../../src/updaters/ace/render-playbook.ts';

const lineText = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, ' ').trim());
const bullet = fc.record({
  kind: fc.constant('bullet' as const),
  id: fc
    .tuple(fc.constantFrom('sai', 'calc', 'prob', 'misc'), fc.integer({ min: 1, max: 99_999 }))
    .map(([slug, number]) => `${slug}-${String(number).padStart(5, '0')}`),
  helpful: fc.nat(99_999),
  harmful: fc.nat(99_999),
  content: lineText,
});
const plain = lineText
  .filter((text) => !text.startsWith('##') && !text.startsWith('['))
  .map((text) => ({ kind: 'plain' as const, text }));
const lines = fc.array(fc.oneof(bullet, plain), { maxLength: 8 });
const playbooks: fc.Arbitrary<Playbook> = fc
  .tuple(
    lines,
    fc.array(
      fc.tuple(
        lineText.filter((text) => text !== ''),
        lines,
      ),
      { maxLength: 5 },
    ),
  )
  .map(([preamble, rest]) => ({
    sections: [{ name: null, lines: preamble }, ...rest.map(([name, own]) => ({ name, lines: own }))],
  }));

describe('a playbook', () => {
  it('reads back from its text as it was', () => {
    fc.assert(
      fc.property(playbooks, (playbook) => {
        expect(parsePlaybook(renderPlaybook(playbook))).toEqual(playbook);
      }),
    );
  });

  it('is read from any text, and its text is then a fixed point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = renderPlaybook(parsePlaybook(text));
        expect(renderPlaybook(parsePlaybook(once))).toBe(once);
      }),
    );
  });

  it('has one physical line for every bullet', () => {
    fc.assert(
      fc.property(playbooks, (playbook) => {
        const bullets = renderPlaybook(playbook)
          .split('\n')
          .filter((line) => /^\[\S+\] helpful=/.test(line));
        expect(bullets).toHaveLength(bulletsOf(playbook).length);
      }),
    );
  });

  it('is empty for an empty file and renders to an empty file', () => {
    expect(parsePlaybook('')).toEqual({ sections: [{ name: null, lines: [] }] });
    expect(renderPlaybook(parsePlaybook(''))).toBe('');
  });

  it('reads the line that the grammar gives', () => {
    const text = '## STRATEGIES & INSIGHTS\n[sai-00012] helpful=3 harmful=0 :: Recalculate :: then read\n';
    expect(bulletsOf(parsePlaybook(text))).toEqual([
      { kind: 'bullet', id: 'sai-00012', helpful: 3, harmful: 0, content: 'Recalculate :: then read' },
    ]);
    expect(renderPlaybook(parsePlaybook(text))).toBe(text);
  });

  it('keeps a line with U+2028 in it on one line', () => {
    const text = '## OTHERS\n[misc-00001] helpful=0 harmful=0 :: a\u2028b\n';
    expect(renderPlaybook(parsePlaybook(text))).toBe(text);
    expect(bulletsOf(parsePlaybook(text))).toHaveLength(1);
  });

  it('numbers on from the greatest id of all sections', () => {
    const text = '[misc-00007] helpful=0 harmful=0 :: a\n## A\n[sai-00003] helpful=0 harmful=0 :: b\n';
    expect(nextIdOf(parsePlaybook(text))).toBe(8);
    expect(nextIdOf(parsePlaybook(''))).toBe(1);
  });
});
