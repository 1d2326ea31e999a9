import { join } from 'node:path';
import { pino } from 'pino';
import { runWorker } from './run-worker.ts';
import { locateDataHome } from './services/data-home/data-home.ts';
import { packageRoot } from './services/package-root.ts';

try {
  await runWorker(locateDataHome(process.cwd(), process.env), join(packageRoot, 'harnesses', 'runner'));
  process.exit(0);
} catch (error) {
  pino().fatal(error instanceof Error ? { stack: error.stack } : { error }, 'worker-ended');
  process.exit(1);
}
