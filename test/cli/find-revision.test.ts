import { describe, expect, it } from 'vitest';
import { findRevision } from '../../src/cli/find-revision.ts';
import { parseRange } from '../../src/cli/parse-range.ts';
import { demoStory } from '../support/demo-story.ts';
import { buildLock, revisionDigest } from '../support/lock-builder.ts';
import { commitOf, Story } from '../support/record-builders.ts';

describe('a range of revisions', () => {
  it.each([
    [[], { experiment: undefined, from: 'h0', to: 'gated' }],
    [['exp_1'], { experiment: 'exp_1', from: 'h0', to: 'gated' }],
    [['h0..cand-1'], { experiment: undefined, from: 'h0', to: 'cand-1' }],
    [['exp_1', 'h0..cand-1'], { experiment: 'exp_1', from: 'h0', to: 'cand-1' }],
    [['h0', 'cand-1'], { experiment: undefined, from: 'h0', to: 'cand-1' }],
    [['exp_1', 'h0', 'cand-1'], { experiment: 'exp_1', from: 'h0', to: 'cand-1' }],
  ])('%j', (words, range) => expect(parseRange(words)).toEqual(range));

  it.each([[['h0..']], [['..cand-1']], [['a', 'b', 'c', 'd']], [['exp', 'x', 'h0..cand-1']]])(
    '%j is refused',
    (words) => {
      expect(() => parseRange(words)).toThrow('option REV..REV cannot be');
    },
  );
});

describe('a revision', () => {
  const { story } = demoStory();
  const find = (wanted: string): string => findRevision(story.lock, story.records, wanted).name;

  it.each([
    ['h0', 'h0'],
    ['cand-2', 'cand-2'],
    ['ace/cand-2', 'cand-2'],
    ['gated', 'cand-2'],
    ['ace/bestEvolved', 'cand-2'],
    [revisionDigest('ace/cand-1').slice(0, 8), 'cand-1'],
    [commitOf('ace/cand-3').slice(0, 8), 'cand-3'],
  ])('is found as %s', (wanted, name) => expect(find(wanted)).toBe(name));

  it('that two arms came to alike needs no arm', () => {
    const two = new Story(buildLock({ arms: ['ace', 'second'] })).revision('h0').revision('ace/cand-1');
    const alike = revisionDigest('ace/cand-1');
    two.revision('second/cand-1', alike);
    expect(findRevision(two.lock, two.records, 'cand-1')).toMatchObject({ arm: 'ace', digest: alike });
    expect(findRevision(two.lock, two.records, alike.slice(0, 8)).digest).toBe(alike);
  });

  it('that two arms have needs its arm', () => {
    const two = new Story(buildLock({ arms: ['ace', 'second'] })).revision('h0').revision('ace/cand-1');
    two.revision('second/cand-1');
    expect(findRevision(two.lock, two.records, 'second/cand-1').arm).toBe('second');
    expect(() => findRevision(two.lock, two.records, 'cand-1')).toThrow(
      expect.objectContaining({ code: 'ANL-1014', next: 'use one of: h0, ace/cand-1, second/cand-1' }),
    );
  });
});
