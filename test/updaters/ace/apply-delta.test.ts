import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../../../src/domain/utf8-length.ts';
import { applyDelta, type DeltaRules } from '../../../src/updaters/ace/apply-delta.ts';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { bulletsOf } from '../../../src/updaters/ace/playbook.ts';
import { renderPlaybook } from '../../../src/updaters/ace/render-playbook.ts';
import { noLeakTerms } from '../../support/scripted-engine.ts';

const rules: DeltaRules = { curatorOps: ['ADD'], playbookBytes: 65_536, nextId: 1, leakTerms: noLeakTerms };
const all: DeltaRules = { ...rules, curatorOps: ['ADD', 'UPDATE', 'MERGE', 'DELETE'] };
const learned = parsePlaybook(
  [
    '## STRATEGIES & INSIGHTS',
    '[sai-00003] helpful=2 harmful=1 :: Look first.',
    '[sai-00009] helpful=1 harmful=0 :: Save early.',
    '## OTHERS',
    '[misc-00004] helpful=0 harmful=4 :: Guess.',
    '',
  ].join('\n'),
);
const add = (content: unknown, section: unknown = 'OTHERS'): object => ({ type: 'ADD', section, content });

describe('applyDelta', () => {
  it('adds a rule at the end of its section with the next id', () => {
    const { playbook, nextId, applied } = applyDelta(learned, [add('Check totals.', 'strategies_and_insights')], rules);
    expect(renderPlaybook(playbook)).toContain(
      '[sai-00009] helpful=1 harmful=0 :: Save early.\n[sai-00010] helpful=0 harmful=0 :: Check totals.\n## OTHERS',
    );
    expect([nextId, applied]).toEqual([11, 1]);
  });

  it('never gives an id again that was taken out', () => {
    const gone = applyDelta(learned, [{ type: 'DELETE', id: 'sai-00009' }], all);
    const { playbook } = applyDelta(gone.playbook, [add('New.')], { ...all, nextId: gone.nextId });
    expect(bulletsOf(playbook).map(({ id }) => id)).toContain('misc-00010');
  });

  it.each([
    ['an operation that is text', 'ADD', 'operation is no object'],
    ['an operation that is null', null, 'operation is no object'],
    ['an operation that is a list', [], 'operation is no object'],
    ['an unknown type', { type: 'CREATE_META', section: 'OTHERS', content: 'x' }, 'operation type is unknown'],
    ['no type', { section: 'OTHERS', content: 'x' }, 'operation type is unknown'],
    ['a section that is null', add('x', null), 'section is no text'],
    ['no section', { type: 'ADD', content: 'x' }, 'section is no text'],
    ['content that is a number', add(7), 'content is no text'],
    ['content that is an object', add({ text: 'x' }), 'content is no text'],
    ['no content', { type: 'ADD', section: 'OTHERS' }, 'content is no text'],
    ['blank content', add(' \n '), 'content is empty'],
    ['content of control characters alone', add('\u0000\u0007'), 'content is empty'],
    ['content with a bullet id', add('As sai-00003 says'), 'content holds a bullet id'],
    ['content with a header', add('x ## OTHERS'), 'content holds ##'],
    ['content with a header after a line break', add('x\n## OTHERS'), 'content holds ##'],
    ['content with a template variable', add('{{ task }}'), 'content holds {{'],
    ['content with a template tag', add('{% if %}'), 'content holds {%'],
    ['a rule that is there already', add('Save early.'), 'the playbook holds this rule already'],
    ['UPDATE without the flag', { type: 'UPDATE', id: 'sai-00003', content: 'x' }, 'UPDATE is not allowed here'],
    ['DELETE without the flag', { type: 'delete', id: 'sai-00003' }, 'DELETE is not allowed here'],
    [
      'MERGE without the flag',
      { type: 'MERGE', ids: ['sai-00003', 'sai-00009'], content: 'x' },
      'MERGE is not allowed here',
    ],
  ])('refuses %s and applies the good operations around it', (_, bad, why) => {
    const outcome = applyDelta(learned, [add('First.'), bad, add('Last.')], rules);
    expect(outcome.findings).toEqual([{ code: 'operation-refused', text: `operation 2: ${why}` }]);
    expect([outcome.applied, outcome.refused]).toEqual([2, 1]);
    expect(
      bulletsOf(outcome.playbook)
        .slice(-2)
        .map(({ content }) => content),
    ).toEqual(['First.', 'Last.']);
  });

  it.each([
    ['line breaks', 'one\r\ntwo\nthree', 'one two three'],
    ['unusual line breaks', 'one\u2028two\u000bthree', 'one two three'],
    ['terminal sequences', '\u001b[31mred\u001b[0m \u001b]0;t\u0007rule', 'red rule'],
    ['runs of blanks', '  a \t b  ', 'a b'],
  ])('makes one plain line of %s', (_, content, expected) => {
    const { playbook } = applyDelta(learned, [add(content)], rules);
    expect(bulletsOf(playbook).at(-1)?.content).toBe(expected);
  });

  it('sends a rule for an unknown section to OTHERS and says so', () => {
    const outcome = applyDelta(learned, [add('x', 'general')], rules);
    expect(bulletsOf(outcome.playbook).at(-1)?.id).toBe('misc-00010');
    expect(outcome.findings).toEqual([
      { code: 'operation-noted', text: 'operation 1: section is unknown; the rule went to OTHERS' },
    ]);
    expect([outcome.applied, outcome.refused]).toEqual([1, 0]);
  });

  it('refuses a rule that quotes feedback, and names the kind of quotation only', () => {
    const leakTerms = { ...noLeakTerms, fileNames: ['in/orders.xlsx'], referenceValues: ['Henderson'] };
    const outcome = applyDelta(learned, [add('Ask Henderson.'), add('See orders.xlsx.'), add('Fine.')], {
      ...rules,
      leakTerms,
    });
    expect(outcome.applied).toBe(1);
    expect(outcome.findings.map(({ text }) => text)).toEqual([
      'operation 1: content quotes feedback: reference-value',
      'operation 2: content quotes feedback: file-name',
    ]);
  });

  it('lints reworded rules too', () => {
    const leakTerms = { ...noLeakTerms, referenceValues: ['Henderson'] };
    const update = { type: 'UPDATE', id: 'sai-00003', content: 'Ask Henderson.' };
    expect(applyDelta(learned, [update], { ...all, leakTerms }).applied).toBe(0);
  });

  it('refuses the whole delta at the byte cap and truncates nothing', () => {
    const playbookBytes = utf8Length(renderPlaybook(learned)) + 60;
    const outcome = applyDelta(learned, [add('short'), add('é'.repeat(30))], { ...rules, playbookBytes });
    expect(outcome.playbook).toBe(learned);
    expect([outcome.applied, outcome.refused]).toEqual([0, 2]);
    expect(outcome.findings).toMatchObject([{ code: 'delta-refused' }]);
    expect(applyDelta(learned, [add('short')], { ...rules, playbookBytes }).applied).toBe(1);
  });

  it('fills the cap to the last byte', () => {
    const playbookBytes = utf8Length(renderPlaybook(learned)) + utf8Length('[misc-00010] helpful=0 harmful=0 :: é\n');
    expect(applyDelta(learned, [add('é')], { ...rules, playbookBytes }).applied).toBe(1);
    expect(applyDelta(learned, [add('é')], { ...rules, playbookBytes: playbookBytes - 1 }).applied).toBe(0);
  });

  it('gives no id above 99999', () => {
    const outcome = applyDelta(learned, [add('a'), add('b')], { ...rules, nextId: 99_999 });
    expect(bulletsOf(outcome.playbook).at(-1)?.id).toBe('misc-99999');
    expect(outcome.findings).toEqual([{ code: 'operation-refused', text: 'operation 2: no bullet id is left' }]);
  });

  it('rewords a rule and keeps its id and counters', () => {
    const { playbook } = applyDelta(
      learned,
      [{ type: 'update', bullet_id: '[SAI-00003]', content: 'Look twice.' }],
      all,
    );
    expect(bulletsOf(playbook)[0]).toEqual({
      kind: 'bullet',
      id: 'sai-00003',
      helpful: 2,
      harmful: 1,
      content: 'Look twice.',
    });
  });

  it('merges rules into one with a new id, their counters added', () => {
    const merge = { type: 'MERGE', ids: ['sai-00003', 'misc-00004'], content: 'Look, do not guess.' };
    const { playbook } = applyDelta(learned, [merge], all);
    expect(bulletsOf(playbook)).toEqual([
      { kind: 'bullet', id: 'sai-00010', helpful: 2, harmful: 5, content: 'Look, do not guess.' },
      { kind: 'bullet', id: 'sai-00009', helpful: 1, harmful: 0, content: 'Save early.' },
    ]);
  });

  it.each([
    [{ type: 'UPDATE', id: 'sai-00099', content: 'x' }, 'the playbook has no sai-00099'],
    [{ type: 'DELETE', id: 'sai-00099' }, 'the playbook has no sai-00099'],
    [{ type: 'DELETE' }, 'DELETE needs an id'],
    [{ type: 'DELETE', id: ['sai-00003'] }, 'DELETE needs an id'],
    [{ type: 'MERGE', ids: ['sai-00003', 'sai-00099'], content: 'x' }, 'the playbook has no sai-00099'],
    [{ type: 'MERGE', ids: ['sai-00003', '[sai-00003]'], content: 'x' }, 'MERGE needs at least two ids'],
    [{ type: 'MERGE', content: 'x' }, 'MERGE needs at least two ids'],
  ])('refuses %j', (operation, why) => {
    const outcome = applyDelta(learned, [operation], all);
    expect(outcome.playbook).toEqual(learned);
    expect(outcome.findings).toEqual([{ code: 'operation-refused', text: `operation 1: ${why}` }]);
  });

  it('never throws, keeps ids unique, bullets on one line and the cap, whatever a curator writes', () => {
    const operation = fc.oneof(
      fc.anything(),
      fc.record(
        {
          type: fc.constantFrom('ADD', 'UPDATE', 'MERGE', 'DELETE', 'add', 7),
          section: fc.oneof(fc.constantFrom('OTHERS', 'general', null), fc.string()),
          content: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a\n## b', 'Look first.'), fc.anything()),
          id: fc.constantFrom('sai-00003', 'misc-00004', 'x'),
          ids: fc.constantFrom(['sai-00003', 'misc-00004'], ['sai-00009'], null),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), (operations) => {
        const outcome = applyDelta(learned, operations, { ...all, playbookBytes: 400 });
        const text = renderPlaybook(outcome.playbook);
        const ids = bulletsOf(outcome.playbook).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(utf8Length(text)).toBeLessThanOrEqual(400);
        expect(parsePlaybook(text)).toEqual(outcome.playbook);
        expect(outcome.applied + outcome.refused).toBe(operations.length);
      }),
    );
  });
});
