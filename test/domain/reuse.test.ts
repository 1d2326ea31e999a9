import { describe, expect, it } from 'vitest';
import { decideReuse, reuseKey, type ReuseKeyParts } from '../../src/domain/reuse.ts';

const parts: ReuseKeyParts = {
  experiment: 'e',
  revision: 'r',
  task: 't',
  judge: 'j',
  runner: 'n',
  environment: 'v',
  model: 'm',
  sampling: 's',
  budget: 'b',
  seed: 1,
  replicate: 0,
};

describe('decideReuse', () => {
  it('reuses an attempt whose every part agrees', () => {
    expect(decideReuse(parts, { ...parts })).toEqual({ kind: 'reuse' });
  });

  it.each(Object.keys(parts) as (keyof ReuseKeyParts)[])('reruns when %s differs, and says so', (part) => {
    const verdict = decideReuse(parts, { ...parts, [part]: 'other' });
    expect(verdict).toMatchObject({
      kind: 'rerun',
      differs: [part],
      reason: expect.stringContaining(`${part} differs`),
    });
  });

  it('reruns without a record', () => {
    expect(decideReuse(parts, null)).toMatchObject({ kind: 'rerun', reason: 'no record' });
  });
});

describe('reuseKey', () => {
  it('does not depend on the order in which parts are written', () => {
    const reversed = Object.fromEntries(Object.entries(parts).toReversed()) as unknown as ReuseKeyParts;
    expect(reuseKey(reversed)).toBe(reuseKey(parts));
  });

  it.each(Object.keys(parts) as (keyof ReuseKeyParts)[])('changes with %s', (part) => {
    expect(reuseKey({ ...parts, [part]: 'other' })).not.toBe(reuseKey(parts));
  });
});
