import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { treeDigest } from '../../src/adapters/tree-digest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let bundle: Promise<{ code: string }> | null = null;

/** The workflows as they stand in the sources, bundled once per run of tests; outside of one, once per process. */
export function workflowBundle(): Promise<{ code: string }> {
  bundle ??= process.env['ANNEAL_TEST_TMPDIR'] === undefined ? build() : shared();
  return bundle;
}

/** In the temporary folder of the run, where all its files find it, under a name that follows the sources. */
async function shared(): Promise<{ code: string }> {
  const sources = createHash('sha256');
  for (const folder of ['src', 'workflows']) sources.update(treeDigest(join(root, folder)));
  const file = join(tmpdir(), `workflow-bundle-${sources.digest('hex').slice(0, 16)}.js`);
  if (existsSync(file)) return { code: readFileSync(file, 'utf8') };
  const built = await build();
  // Whole or not there, for whoever builds it at the same time.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, built.code);
  renameSync(own, file);
  return built;
}

function build(): Promise<{ code: string }> {
  return bundleWorkflowCode({
    workflowsPath: join(root, 'workflows', 'index.ts'),
    logger: new DefaultLogger('ERROR', () => {}),
  });
}
