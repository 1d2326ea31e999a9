import { describe, expect, it } from 'vitest';
import { Curation, Reflection } from '../../src/schema/ace.ts';

describe('Reflection', () => {
  it('reads misshapen texts as empty and keeps tags as they came', () => {
    expect(Reflection.parse({ reasoning: 7, key_insight: 'x', bullet_tags: 'none', other: 1 })).toEqual({
      reasoning: '',
      error_identification: '',
      root_cause_analysis: '',
      correct_approach: '',
      key_insight: 'x',
      bullet_tags: 'none',
    });
  });

  it('takes a reply that was cut before its tags', () => {
    expect(Reflection.parse({ correct_approach: 'x' })).toMatchObject({ correct_approach: 'x', key_insight: '' });
  });

  it.each([[{}], [{ key_insight: ' ', correct_approach: 7 }], [[]], [null], ['text']])(
    'refuses %j, which teaches nothing',
    (reply) => {
      expect(Reflection.safeParse(reply).success).toBe(false);
    },
  );
});

describe('Curation', () => {
  it('takes a bare list for its operations', () => {
    expect(Curation.parse([1, { type: 'ADD' }])).toEqual({ reasoning: '', operations: [1, { type: 'ADD' }] });
  });

  it.each([[{ reasoning: 'r' }], [{ operations: 'none' }], [null], ['text']])('refuses %j', (reply) => {
    expect(Curation.safeParse(reply).success).toBe(false);
  });
});
