import { describe, expect, test } from 'vitest';
import { expandVariables } from '../../../src/services/freeze/expand-variables.ts';

const at = { file: 'x.yaml', line: 3, column: 5 };

describe('variables in a string', () => {
  test.each([
    ['${A}', 'one'],
    ['${A}/${B}', 'one/two'],
    ['a${A}b', 'aoneb'],
    ['${C:-three}', 'three'],
    ['${EMPTY:-filled}', 'filled'],
    ['${C:-}', ''],
    ['${A:-x}', 'one'],
    ['${C:-http://h:1/v1}', 'http://h:1/v1'],
    ['$A', '$A'],
    ['$$ {A}', '$$ {A}'],
    ['${C:-a $ b}', 'a $ b'],
    ['${NESTED}', '${A}'],
  ])('%s reads %s', (text, expected) => {
    expect(expandVariables(text, { A: 'one', B: 'two', EMPTY: '', NESTED: '${A}' }, at)).toBe(expected);
  });

  test.each(['$${A', '${1A}', '${A', '${}', '${MODEL-NAME}', '${A:x}', '${C:-${A}}', '${A:-${B:-x}}', 'x ${A:-y'])(
    'that is none is refused at its place, never taken as it stands: %s',
    (text) => {
      expect(() => expandVariables(text, { A: 'one', B: 'two' }, at)).toThrow(
        expect.objectContaining({ code: 'ANL-1024', at: [at], fields: { text } }),
      );
    },
  );

  test('that is not set is refused at its place', () => {
    expect(() => expandVariables('x ${C}', {}, at)).toThrow(
      expect.objectContaining({ code: 'ANL-1005', at: [at], fields: { variable: 'C' } }),
    );
  });
});
