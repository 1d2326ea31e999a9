import { existsSync, readdirSync } from 'node:fs';
import type { ExperimentRecord } from '../schema/record.ts';
import type { ExperimentDirectory } from '../services/experiment-directory.ts';
import { readRecords } from '../services/read-records.ts';

/** How often files may move while they are read. */
const tries = 5;

/** All records of an experiment, read again where its sealed files were opened in the middle of reading. */
export function readSettledRecords(directory: ExperimentDirectory): ExperimentRecord[] {
  for (let attempt = 1; ; attempt++) {
    const before = namesIn(directory.sealed);
    try {
      const records = readRecords(directory);
      if (attempt === tries || namesIn(directory.sealed) === before) return records;
    } catch (error) {
      if (attempt === tries || namesIn(directory.sealed) === before) throw error;
    }
  }
}

function namesIn(folder: string): string {
  return existsSync(folder) ? readdirSync(folder).join('/') : '';
}
