import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

/** A level that real-jail tests run at, and the account that keepers get for it. */
export interface JailLevel {
  readonly name: 'full' | 'user';
  readonly account: { readonly uid: number; readonly gid: number } | null;
  /** Why it cannot be had here; null where it can. */
  readonly missing: string | null;
}

const ordinary = { uid: 61_234, gid: 61_234 };
const asRoot = process.getuid?.() === 0;
const keeper = fileURLToPath(new URL('../../src/keeper', import.meta.url));

/** Both levels. As root `user` runs under an ordinary account. */
const jailLevels: readonly JailLevel[] = [
  { name: 'full', account: null, missing: asRoot ? withoutGroups() : 'it needs root' },
  { name: 'user', account: asRoot ? ordinary : null, missing: withoutNamespaces() },
];

/** The strongest level that can be had here, for what does not depend on it. */
export const strongestLevel: JailLevel = jailLevels.find(({ missing }) => missing === null) ?? {
  name: 'user',
  account: null,
  missing: null,
};

/** A suite at both levels. One that cannot be had here is skipped under a title that says why, never left out. */
export function describeAtEachLevel(title: string, body: (level: JailLevel) => void): void {
  for (const level of jailLevels) {
    const reason = level.missing === null ? '' : `, which cannot be had here: ${level.missing}`;
    describe.skipIf(level.missing !== null)(`${title} at level ${level.name}${reason}`, () => {
      body(level);
    });
  }
}

function withoutGroups(): string | null {
  const script = `import sys; sys.path.insert(0, sys.argv[1]); import cgroup; print(cgroup.detect().kind)`;
  const found = spawnSync('/usr/bin/python3', ['-I', '-S', '-B', '-c', script, keeper], { encoding: 'utf8' });
  return /^v[12]$/.test(found.stdout.trim()) ? null : 'no memory cgroup can be made';
}

function withoutNamespaces(): string | null {
  const script = 'import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x10000000 | 0x20000) and 1)';
  const account = asRoot ? ordinary : {};
  const tried = spawnSync('/usr/bin/python3', ['-I', '-S', '-c', script], { ...account, cwd: '/' });
  return tried.status === 0 ? null : 'an ordinary account gets no user namespaces';
}
