import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { AnnealError, type ErrorCode, errors, isAnnealError } from '../../src/domain/errors.ts';

const codes = Object.keys(errors) as ErrorCode[];

describe('the error table', () => {
  it('gives every code the exit code of its family', () => {
    const families: Record<string, readonly number[]> = {
      '10': [2],
      '11': [2],
      '12': [2],
      '20': [2],
      '30': [2, 5],
      '40': [3],
      '50': [5],
      '51': [5],
      '60': [6],
    };
    const strays = codes.filter((code) => !families[code.slice(4, 6)]?.includes(errors[code].exit));
    expect(strays).toEqual([]);
  });

  it('writes every code as ANL- and four digits', () => {
    expect(codes.filter((code) => !/^ANL-\d{4}$/.test(code))).toEqual([]);
  });

  it('gives every code something to do next', () => {
    expect(codes.filter((code) => errors[code].remedy.trim() === '')).toEqual([]);
  });
});

describe('AnnealError', () => {
  it('fills the template and the remedy from its fields', () => {
    const error = new AnnealError('ANL-1102', { group: 'budget-7', task: 'a/b', split: 'feedback' });
    expect(error.message).toBe('leakage group "budget-7" is in two splits');
    expect(error.next).toBe('move a/b to feedback, or drop it');
  });

  it('shows how to give a variable a default, with the variable named', () => {
    const error = new AnnealError('ANL-1005', { variable: 'DATA' });
    expect(error.next).toBe('export DATA=… or write a default: ${DATA:-value}');
  });

  it('leaves braces in a field as they are', () => {
    const error = new AnnealError('ANL-1002', { key: '{file}', file: 'x.yaml' });
    expect(error.message).toBe('unknown key "{file}" in x.yaml');
  });

  it('carries typed fields beyond those of its template', () => {
    const error = new AnnealError('ANL-5007', { service: 'worker', waitedMs: 60_000, limitMs: 60_000 });
    expect(error.toJSON()).toMatchObject({ exit: 5, fields: { waitedMs: 60_000, limitMs: 60_000 } });
  });

  it('has the same fields in its JSON form as in print', () => {
    const error = new AnnealError(
      'ANL-1004',
      { file: 'splits/x.yaml' },
      { at: [{ file: 'e.yaml', line: 3, column: 9 }], why: 'the splits key names it', notSpent: '0 tokens spent' },
    );
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'ANL-1004',
      message: 'file splits/x.yaml does not exist',
      exit: 2,
      retryable: false,
      fields: { file: 'splits/x.yaml' },
      at: [{ file: 'e.yaml', line: 3, column: 9 }],
      why: 'the splits key names it',
      next: 'create it, or correct the path; paths are relative to the file that names them',
      notSpent: '0 tokens spent',
    });
  });

  it('keeps its cause', () => {
    const cause = new Error('ECONNREFUSED');
    expect(new AnnealError('ANL-5003', { address: '127.0.0.1:7233' }, { cause }).cause).toBe(cause);
  });
});

describe('isAnnealError', () => {
  const error = new AnnealError('ANL-5002', {});
  it.each([
    ['the error itself', error, true],
    ['its JSON form', JSON.parse(JSON.stringify(error)), true],
    [
      'an error of another realm with a known code',
      runInNewContext(`Object.assign(new Error('x'), {code: 'ANL-5002'})`),
      true,
    ],
    ['an unknown code', { code: 'ANL-9999' }, false],
    ['an inherited name', { code: 'toString' }, false],
    ['a system error', Object.assign(new Error('x'), { code: 'ENOENT' }), false],
    ['null', null, false],
    ['text', 'ANL-5002', false],
  ])('judges %s by its code alone', (_, value, expected) => {
    expect(isAnnealError(value)).toBe(expected);
  });

  it('tells codes apart when one is asked for', () => {
    expect(isAnnealError(error, 'ANL-5002')).toBe(true);
    expect(isAnnealError(error, 'ANL-5001')).toBe(false);
  });
});
