import { writeSync } from 'node:fs';
import { storageError } from '../domain/storage-error.ts';
import { renderError } from '../domain/render-error.ts';

/** What a shell calls the end by SIGPIPE, 128 + 13: whoever read the output has gone. */
const readerLeft = 141;

/**
 * End the process without a word, exit code 141, once a reader of its output has gone (`anneal show | head -1`), as other
 * programs end; what runs in the background goes on, as at Ctrl-C. Output that a full or broken disk does not take
 * (`> file`) ends it with ANL-3013 or ANL-3012.
 */
export function leaveWithReader({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  stdout.on('error', end);
  stderr.on('error', end);
}

function end(error: NodeJS.ErrnoException): void {
  const storage = error.code === 'EPIPE' ? null : storageError(Object.assign(error, { path: 'the output' }));
  if (storage === null) process.exit(readerLeft);
  tell(`${renderError(storage.toJSON())}\n`);
  process.exit(storage.toJSON().exit);
}

/** Standard error may be what is broken. */
function tell(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    return;
  }
}
