import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/domain/plain-text.ts';

describe('plainText', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a clipboard write', 'a\u001b]52;c;ZXZpbA==\u0007b', 'ab'],
    ['a hyperlink', '\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['an unended title', 'a\u001b]0;title\nb', 'a\nb'],
    ['a C1 sequence', 'a\u009b2Jb', 'ab'],
    ['NUL, bell and backspace', 'a\u0000\u0007\bb', 'ab'],
    ['bidirectional overrides', 'user\u202Etxt.exe', 'usertxt.exe'],
    ['carriage returns', 'a\r\nb\rc', 'a\nb\nc'],
  ])('takes %s out', (_, given, expected) => {
    expect(plainText(given)).toBe(expected);
  });

  it('keeps tabs, line feeds and letters of all scripts', () => {
    expect(plainText('\tZürich 東京\n=SUM(A1)')).toBe('\tZürich 東京\n=SUM(A1)');
  });

  it('leaves no escape or control character in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
  });
});
