import { execFileSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/simulated/simulate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { book, instructionOf } from './policy-fixture.ts';
import { worldNamed } from './published-worlds.ts';
import { commandOf, nextRequest, openingRequest } from './request-builder.ts';

const context = { role: 'solver', world: worldNamed('no-transfer'), policies: book } as const;

/** What the solver sees in an attempt whose script wrote a workbook of `bytes` at `seconds` of the epoch. */
function observations(bytes: number, seconds: number): string[] {
  const folder = temporaryFolder('solver');
  const files = { 'notes.md': 'Notes\n', 'facts.csv': 'a,b\n', 'result.xlsx': 'x'.repeat(bytes) };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), seconds, seconds);
  }
  const seen: string[] = [];
  let request = openingRequest(instructionOf('document').replace('output/', ''), '');
  const policies = {
    version: 1 as const,
    policies: book.policies.map((policy) => ({
      ...policy,
      instruction: policy.instruction.replace('output/', ''),
    })),
  };
  for (let turn = 0; turn < 6; turn += 1) {
    const response = simulate(request, { ...context, policies });
    const command = commandOf(response).replaceAll('/opt/solver/bin/python', 'true');
    seen.push(execFileSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }));
    request = nextRequest(request, response, seen.at(-1));
  }
  return seen;
}

describe('the simulated solver', () => {
  it('sees neither when a file was written nor how large it came out: the same seed, the same prompts', () => {
    const seen = observations(5_333, 1_796_034_631);
    expect(seen.join('')).toContain('facts.csv');
    expect(seen.join('')).toContain('result.xlsx');
    expect(observations(12_005, 981_173_106)).toEqual(seen);
  });
});
