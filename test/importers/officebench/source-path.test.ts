import { describe, expect, test } from 'vitest';
import { packagePath, plainRelativePath, UnsafePath } from '../../../src/importers/officebench/source-path.ts';

describe('a path of the evaluation', () => {
  test.each([
    ['./data/answer.txt', { kind: 'output', path: 'data/answer.txt' }],
    ['data/answer.txt', { kind: 'output', path: 'data/answer.txt' }],
    ['emails/Bob/scholarship approved.eml', { kind: 'output', path: 'emails/Bob/scholarship approved.eml' }],
    ['../../../../reference/sids.xlsx', { kind: 'tests', path: 'expected/sids.xlsx' }],
    ['../../../../cache/3/testbed/data/salary.xlsx', { kind: 'tests', path: 'pristine/data/salary.xlsx' }],
  ])('%s is rewritten', (path, expected) => {
    expect(packagePath(path)).toEqual(expected);
  });

  test.each([
    '/etc/passwd',
    '../secret',
    'data/../../secret',
    'data//answer.txt',
    'data/./answer.txt',
    '..',
    '',
    './',
    'data\\answer.txt',
    'C:/answer.txt',
    'data/\u0000',
    'data/a\nb',
    '../../../../reference/../../../x',
    '../../../../cache/0/testbed/../x',
    '../../../../cache/zero/testbed/data/x',
    `data/${'a'.repeat(201)}`,
  ])('%j is refused', (path) => {
    expect(() => packagePath(path)).toThrow(UnsafePath);
    expect(() => plainRelativePath(path)).toThrow(UnsafePath);
  });
});
