import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTags, readTags } from '../../../src/updaters/ace/counters.ts';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { bulletsOf } from '../../../src/updaters/ace/playbook.ts';

describe('readTags', () => {
  it.each([
    ['the key id', [{ id: 'sai-00001', tag: 'helpful' }]],
    ['the key bullet', [{ bullet: 'sai-00001', tag: 'helpful' }]],
    ['the key bullet_id', [{ bullet_id: 'sai-00001', tag: 'helpful' }]],
    ['a tag in capitals', [{ id: 'sai-00001', tag: ' Helpful ' }]],
    ['an id in brackets', [{ id: '[SAI-00001]', tag: 'HELPFUL' }]],
    ['an object of id and tag', { 'sai-00001': 'helpful' }],
    [
      'the first of two tags for one bullet',
      [
        { id: 'sai-00001', tag: 'helpful' },
        { id: 'sai-00001', tag: 'harmful' },
      ],
    ],
  ])('reads %s', (_, raw) => {
    expect(readTags(raw)).toEqual({ tags: [{ id: 'sai-00001', tag: 'helpful' }], findings: [] });
  });

  it.each([
    ['an id that is a list', [{ id: ['sai-00001'], tag: 'helpful' }]],
    ['an entry that is a list', [['sai-00001', 'helpful']]],
    ['an unknown tag', [{ id: 'sai-00001', tag: 'great' }]],
    ['no id', [{ tag: 'helpful' }]],
    ['an entry that is text', ['sai-00001']],
    ['tags that are text', 'sai-00001 helpful'],
  ])('makes a finding of %s', (_, raw) => {
    expect(readTags(raw)).toMatchObject({ tags: [], findings: [{ code: 'tag-refused' }] });
  });

  it.each([[undefined], [null], [[]]])('takes %j for no tags', (raw) => {
    expect(readTags(raw)).toEqual({ tags: [], findings: [] });
  });

  it('reads a list from whatever a model wrote, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        expect(Array.isArray(readTags(raw).tags)).toBe(true);
      }),
    );
  });
});

describe('countTags', () => {
  const playbook = parsePlaybook(
    '## A\n[sai-00001] helpful=5 harmful=0 :: a\n[sai-00002] helpful=0 harmful=0 :: b\n## B\n[misc-00003] helpful=1 harmful=1 :: c\n',
  );

  it('adds one to the counter named and nothing for neutral', () => {
    const { playbook: counted, ...numbers } = countTags(playbook, [
      { id: 'sai-00001', tag: 'helpful' },
      { id: 'misc-00003', tag: 'harmful' },
      { id: 'sai-00002', tag: 'neutral' },
    ]);
    expect(bulletsOf(counted).map(({ helpful, harmful }) => [helpful, harmful])).toEqual([
      [6, 0],
      [0, 0],
      [1, 2],
    ]);
    expect(numbers).toEqual({ counted: 3, unknown: 0 });
  });

  it('passes over ids that the playbook does not have', () => {
    expect(countTags(playbook, [{ id: 'sai-00099', tag: 'helpful' }])).toEqual({ playbook, counted: 0, unknown: 1 });
  });
});
