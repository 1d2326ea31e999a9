import { join } from 'node:path';
import { runWorker } from '../src/run-worker.ts';
import { locateDataHome } from '../src/services/data-home/data-home.ts';
import { packageRoot } from '../src/services/package-root.ts';

/** The real worker with the stub harness in the harness jail: no model, no packages. */
await runWorker(locateDataHome(process.cwd(), process.env), join(packageRoot, 'harnesses', 'stub'));
process.exit(0);
