import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskDirectory } from '../../../src/adapters/task-directory.ts';
import { replayDeclarations } from '../../../src/services/task-packs/replay-outputs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function declared(toml: string): unknown {
  const path = temporaryFolder('task');
  mkdirSync(join(path, 'replays'));
  writeFileSync(join(path, 'replays', 'expected.toml'), toml);
  return replayDeclarations({ id: 'desk/d1', path } as unknown as TaskDirectory);
}

test('a replay copies files below the working directory', () => {
  const copies = { 'a b.txt': 'output/a b.txt' };
  expect(declared('[unmodified]\nreward = [0, 0.2]\ncopies = { "a b.txt" = "output/a b.txt" }\n')).toEqual({
    unmodified: { reward: [0, 0.2], copies },
  });
});

test.each([
  ['that is written above it', '[x]\nreward = [0, 0]\ncopies = { "a.txt" = "../../a.txt" }'],
  ['that is written anywhere', '[x]\nreward = [0, 0]\ncopies = { "a.txt" = "/etc/a.txt" }'],
  ['that is read above it', '[x]\nreward = [0, 0]\ncopies = { "../a.txt" = "a.txt" }'],
  ['that is read anywhere', '[x]\nreward = [0, 0]\ncopies = { "/etc/passwd" = "a.txt" }'],
  ['whose replay is named like a path', '["../../x"]\nreward = [0, 0]'],
])('a replay with a file %s is refused before anything is copied', (_, toml) => {
  expect(() => declared(toml)).toThrow(expect.objectContaining({ code: 'ANL-1203' }));
});
