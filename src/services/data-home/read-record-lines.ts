import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentDirectory } from './experiment-directory.ts';

/** One line of a record file as it stands on disk. */
export interface RecordText {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Whether the file ends with this line and not with a newline: an append in progress, or a cut. */
  readonly unended: boolean;
}

/**
 * All lines of an experiment's record files, open ones before sealed ones, empty lines left out.
 * The engine moves files while it runs: an experiment that closes opens its sealed ones. What is read while names change
 * is read again, so that no record is missed and none is told twice; names change a few times in all, never for ever.
 */
export function readRecordLines(
  directory: ExperimentDirectory,
  read: (file: string) => string = (file) => readFileSync(file, 'utf8'),
): RecordText[] {
  while (true) {
    const files = recordFilesIn(directory);
    const stands = (): boolean => recordFilesIn(directory).join('\n') === files.join('\n');
    try {
      const lines = files.flatMap((file) => linesOf(file, read(file)));
      if (stands()) return lines;
    } catch (error) {
      if (stands()) throw error;
    }
  }
}

function recordFilesIn({ records, sealed }: ExperimentDirectory): string[] {
  return [records, sealed].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.jsonl'))
          .toSorted()
          .map((name) => join(folder, name))
      : [],
  );
}

function linesOf(file: string, content: string): RecordText[] {
  const lines = content.split('\n');
  return lines.flatMap((text, index) =>
    text === '' ? [] : [{ file, line: index + 1, text, unended: index === lines.length - 1 }],
  );
}
