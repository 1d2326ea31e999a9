import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ImportOfficeBenchOptions } from '../../../src/importers/officebench.ts';
import { packageRoot } from '../../../src/services/package-root.ts';
import { judgesFolder, solverPython } from '../../support/solver-python.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Writes files below a new folder; a path may hold any name that the file system takes. */
export function sourceFolder(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder('source');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** The text of a subtask file. */
export function subtask(task: string, evaluation: unknown[], more: Record<string, unknown> = {}): string {
  const base = { username: 'Alice', date: '2020-05-01', weekday: 'Friday', time: '10:00 AM', task, evaluation };
  return JSON.stringify({ ...base, ...more });
}

/** One evaluation item of upstream's. */
export function item(name: string, args: Record<string, unknown>): unknown {
  return { function: `evaluate_${name}`, args };
}

/** Options of an import into a folder that does not exist yet. */
export function options(source: string): ImportOfficeBenchOptions {
  return {
    source,
    out: join(temporaryFolder('import'), 'officebench'),
    mode: 'faithful',
    python: solverPython,
    judges: judgesFolder,
    overlay: join(packageRoot, 'tasks', 'officebench-overlay.yaml'),
  };
}
