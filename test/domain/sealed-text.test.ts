import { describe, expect, it } from 'vitest';
import { removeSealed } from '../../src/domain/sealed-text.ts';

describe('removeSealed', () => {
  it.each([
    ['every occurrence, whatever its case', 'Total total TOTAL', ['total'], '[sealed] [sealed] [sealed]', 3],
    ['no part of a longer number', '120 12 3.12', ['12'], '120 [sealed] 3.[sealed]', 2],
    ['the longer of two overlapping secrets', 'net profit', ['net', 'net profit'], '[sealed]', 1],
    ['across line breaks', 'net\n  profit', ['net profit'], '[sealed]', 1],
    ['texts full of pattern characters', 'use =SUM(A1:A3)*2 now', ['=SUM(A1:A3)*2'], 'use [sealed] now', 1],
    ['nothing for an empty secret', 'abc', ['', ' '], 'abc', 0],
    ['nothing where letters of another script adjoin', 'Zürich', ['rich'], 'Zürich', 0],
  ])('takes out %s', (_, text, sealed, expected, removed) => {
    expect(removeSealed(text, sealed, 'whole')).toEqual({ text: expected, removed });
  });

  it('finds canaries inside longer words too', () => {
    expect(removeSealed('xCANARY-1y', ['canary-1'], 'anywhere')).toEqual({ text: 'x[sealed]y', removed: 1 });
  });
});
