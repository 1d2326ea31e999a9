import { join } from 'node:path';
import { createDataHome, dataHomeAt } from '../../src/services/data-home.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { ensurePythonEnvironments, environmentNames } from '../../src/services/python-environments.ts';

/** Build the Python environments that real-jail tests use, once, in a data home of the tests' own. */
export default async function globalSetup(): Promise<void> {
  const home = dataHomeAt(join(packageRoot, '.anneal-test'));
  createDataHome(home);
  await ensurePythonEnvironments(home, environmentNames, (line) => process.stderr.write(`${line}\n`));
}
