import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes at the end of a file among which its last line is looked for. */
const tailBytes = 16_384;

/** The last line of a log that holds anything, without its blanks; empty when there is none. */
export function lastLine(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, tailBytes));
      readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8').trimEnd().split('\n').at(-1)?.trim() ?? '';
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
