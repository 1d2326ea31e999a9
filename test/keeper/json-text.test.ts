import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const keeper = fileURLToPath(new URL('../../src/keeper', import.meta.url));

const convert = `import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import json_text
for line in sys.stdin:
    try: print(json_text.encode(json_text.decode(line)))
    except ValueError: print('refused')
`;

function throughKeeper(lines: readonly string[]): string[] {
  const options = { input: lines.map((line) => `${line}\n`).join(''), encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  return execFileSync('/usr/bin/python3', ['-I', '-S', '-c', convert, keeper], options).trimEnd().split('\n');
}

describe('the keeper’s JSON', () => {
  it('gives every value back as it was', () => {
    const values = fc.sample(fc.jsonValue(), { numRuns: 300, seed: 7 });
    const back = throughKeeper(values.map((value) => JSON.stringify(value)));
    expect(back.map((line) => JSON.parse(line) as unknown)).toEqual(
      values.map((value) => JSON.parse(JSON.stringify(value))),
    );
  });

  it('writes ASCII on one line, lone surrogates and control characters included', () => {
    const [line] = throughKeeper([String.raw`["\ud800", "é", "a\u0000\n"]`]);
    expect(line).toBe(String.raw`["\ud800","\u00e9","a\u0000\n"]`);
  });

  it('refuses what is no JSON, and what only Python calls a number', () => {
    const texts = [
      '',
      '{',
      '[1,]',
      '{"a":1}x',
      "{'a':1}",
      'NaN',
      '[Infinity]',
      '-Infinity',
      '1e999',
      '['.repeat(100_000),
    ];
    expect(throughKeeper(texts)).toEqual(texts.map(() => 'refused'));
  });
});
