import { join } from 'node:path';
import { dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { environmentDirectory } from '../../src/services/python/python-environments.ts';

/** Interpreter with the office libraries, of the environment that the global set-up built. */
export const solverPython: string = join(
  environmentDirectory(dataHomeAt(join(packageRoot, '.anneal-test')), 'solver'),
  'bin',
  'python',
);

/** The judges' folder. */
export const judgesFolder: string = join(packageRoot, 'judges');
