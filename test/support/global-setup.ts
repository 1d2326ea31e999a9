import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataHome, dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { ensurePythonEnvironments, environmentNames } from '../../src/services/python/python-environments.ts';
import { makeMemoryFolder } from './memory-folder.ts';

/** Set while a run of tests has a folder for its temporary files: every project has this set-up, the first one makes it. */
const marker = 'ANNEAL_TEST_TMPDIR';

/**
 * Build the Python environments that real-jail tests use, once, in a data home of the tests' own. What the tests lay down in
 * the temporary folder goes with its end; a file that left something behind fails the run.
 */
export default async function globalSetup(): Promise<() => void> {
  const home = dataHomeAt(join(packageRoot, '.anneal-test'));
  createDataHome(home);
  await ensurePythonEnvironments(home, environmentNames, (line) => process.stderr.write(`${line}\n`));
  return process.env[marker] === undefined ? ownTemporaryFolder() : () => {};
}

function ownTemporaryFolder(): () => void {
  // A short name: sockets lie below it, and the kernel takes 107 bytes of a path.
  const folder = mkdtempSync(join(tmpdir(), 'at-'));
  // As /tmp: jails with uids of their own lie below it too.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.env[marker] = folder;
  const folders = [folder, makeMemoryFolder()].filter((each) => each !== null);
  return () => {
    const left = folders.flatMap((each) => readdirSync(each)).filter((name) => !kept.test(name));
    for (const each of folders) rmSync(each, { recursive: true, force: true });
    if (left.length === 0) return;
    // Thrown, it would be printed and the run would pass.
    process.stderr.write(`tests left behind in their temporary folder: ${left.join(', ')}\n`);
    process.exitCode = 1;
  };
}

/**
 * What is shared by all files of a run, the folders of `temporaryFolder`, which stay until now where every test of a file is
 * skipped, and what tools of others keep there for their next run.
 */
const kept = /^(anneal-test-\d+|files-\w+|node-compile-cache|tsx-\d+|workflow-bundle-\w+\.js)$/;
