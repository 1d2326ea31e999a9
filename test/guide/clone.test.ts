import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';

const guide = readFileSync(join(packageRoot, 'docs', 'guide.md'), 'utf8');
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
/** What a newcomer types before anything else. */
const [, first = ''] = /^```console\n(.*?)^```$/ms.exec(guide) ?? [];

/** `npm ci` links the modules that are installed here, then does what npm does after it: the package's own `prepare`. */
const linkingNpm = `#!/usr/bin/env bash
set -euo pipefail
[ "$*" = ci ] || exec "$REAL_NPM" "$@"
[ -f package-lock.json ]
ln -s "$INSTALLED_MODULES" node_modules
exec "$REAL_NPM" run prepare
`;

let folder: string;
let done: { readonly exit: number; readonly out: string };

function run(file: string, parameters: readonly string[], env: NodeJS.ProcessEnv): Promise<typeof done> {
  return new Promise((resolve) => {
    execFile(file, [...parameters], { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, out, errors) =>
      resolve({ exit: error === null ? 0 : Number(error.code), out: `${out}${errors}` }),
    );
  });
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'anneal-clone-')));
  const { TEMPORAL_ADDRESS: _, ANNEAL_HOME: __, ...environment } = process.env;
  const { out: npm } = await run('bash', ['-c', 'command -v npm'], environment);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'npm'), linkingNpm);
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
  const env = {
    ...environment,
    PATH: `${join(folder, 'bin')}:${environment['PATH'] ?? ''}`,
    REAL_NPM: npm.trim(),
    INSTALLED_MODULES: join(packageRoot, 'node_modules'),
    NO_COLOR: '1',
  };
  done = await run('bash', ['-euo', 'pipefail', '-c', first.replace('REPOSITORY', packageRoot)], env);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the guide's first block", () => {
  test('clones, installs and asks the doctor, where installing links the modules of this checkout and builds for real', () => {
    expect(done).toEqual({ exit: 0, out: expect.stringMatching(/^ok +node /m) });
    expect(existsSync(join(folder, 'anneal', 'dist', 'src', 'cli', 'main.js'))).toBe(true);
    expect(done.out).not.toMatch(/^FAIL/m);
  });

  test('installs as the README does, wherever that installs', () => {
    const installs = [...readme.matchAll(/^npm (?:ci|i|install)\b.*$/gm)].map(([command]) => command);
    expect(installs.length).toBeGreaterThan(1);
    for (const command of installs) expect(first.split('\n')).toContain(command);
  });
});
