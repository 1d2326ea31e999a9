import { configurationErrors } from './error-table/configuration.ts';
import { frozenErrors } from './error-table/frozen.ts';
import { integrityErrors } from './error-table/integrity.ts';
import { limitErrors } from './error-table/limits.ts';
import { modelErrors } from './error-table/model.ts';
import { sandboxErrors } from './error-table/sandbox.ts';
import { serviceErrors } from './error-table/services.ts';
import { splitErrors } from './error-table/splits.ts';
import { taskErrors } from './error-table/tasks.ts';

/** Every error a person can meet, one file a family. */
export const errors = {
  ...configurationErrors,
  ...splitErrors,
  ...taskErrors,
  ...frozenErrors,
  ...sandboxErrors,
  ...limitErrors,
  ...serviceErrors,
  ...modelErrors,
  ...integrityErrors,
} as const;
