import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** Where the build leaves the bundled workflow code. */
export const workflowBundlePath: string = join(packageRoot, 'dist', 'workflow-bundle.js');
