import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pythonLiteral, solutionScript } from '../../../src/importers/officebench/solution-script.ts';
import { judgesFolder, solverPython } from '../../support/solver-python.ts';

const library = readFileSync(join(judgesFolder, 'anneal_judges', 'officebench_oracle.py'), 'utf8');

describe('a solution script', () => {
  test('takes over the functions that it uses and no others', () => {
    const script = solutionScript(library, [{ do: 'text', path: 'a.txt', lines: ['x'] }], 'purpose');
    expect([...script.matchAll(/^def (\w+)/gm)].map((match) => match[1])).toEqual(['carry_out', 'do_text']);
  });

  test('Python reads each value as it was', () => {
    const values = fc.sample(fc.jsonValue({ noUnicodeString: false }), { numRuns: 200, seed: 3 });
    const program = `import json, sys\nprint(json.dumps([${values.map(pythonLiteral).join(', ')}]))`;
    const text = execFileSync(solverPython, ['-I', '-'], { input: program, encoding: 'utf8' });
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(values)));
  });
});
