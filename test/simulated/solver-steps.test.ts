import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { solverSteps } from '../../src/simulated/solver-steps.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'solver-steps-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The write steps' commands, run by bash, with another program in place of the Python of a jail. */
function runWrites(script: string, pieceLength: number, program: string): number {
  let status = 0;
  for (const step of solverSteps(script, pieceLength)) {
    if (step.kind !== 'write') continue;
    try {
      execFileSync('bash', ['-c', step.command.replace('/opt/solver/bin/python', program)], { cwd: directory });
    } catch (error) {
      status = (error as { status: number }).status;
    }
  }
  return status;
}

describe('the solver’s steps', () => {
  it('for a short script are look, write, check, submit', () => {
    expect(solverSteps('print(1)\n', 1000).map(({ kind }) => kind)).toEqual(['look', 'write', 'check', 'submit']);
  });

  it('for a script of three pieces write three times', () => {
    const script = 'x = 1\n'.repeat(25);
    expect(solverSteps(script, 60).filter(({ kind }) => kind === 'write')).toHaveLength(3);
  });

  it('run the script with its exit code and leave nothing of it behind', () => {
    const script = 'import sys\nopen("done.txt", "w").write("yes")\nsys.exit(3)';
    expect(runWrites(script, 1000, 'python3')).toBe(3);
    expect(readdirSync(directory)).toEqual(['done.txt']);
  });

  it('bring every script over byte for byte, however it is cut', () => {
    const line = string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/[\0\r]/.test(text));
    const special = constantFrom('END_OF_SCRIPT', "'$HOME `x` \\n'", '', '  indented', '😀😀😀😀😀😀');
    assert(
      property(
        array(oneof(line, special), { minLength: 1, maxLength: 8 }),
        integer({ min: 2, max: 60 }),
        (lines, length) => {
          const script = `${lines.join('\n')}\n`;
          runWrites(script, length, 'cp .solve.py kept.py; true');
          expect(readFileSync(join(directory, 'kept.py'), 'utf8')).toBe(script);
        },
      ),
      { numRuns: 25 },
    );
  });
});
