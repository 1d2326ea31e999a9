import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes read from the end of a log to find its last lines. */
const tailBytes = 262_144;

/** A log file that is read from its last lines on. */
export class LogTail {
  private readonly file: string;
  /** Where the first line begins that was not given yet. */
  private position = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** The last `count` whole lines; `fresh` goes on after them. */
  last(count: number): string[] {
    if (!existsSync(this.file)) return [];
    const size = this.size();
    this.position = Math.max(0, size - tailBytes);
    const cut = this.position > 0;
    const lines = this.fresh();
    return (cut ? lines.slice(1) : lines).slice(-count);
  }

  /** Whole lines that were written since; a file that became shorter is read anew. */
  fresh(): string[] {
    if (!existsSync(this.file)) return [];
    const size = this.size();
    if (size < this.position) this.position = 0;
    if (size === this.position) return [];
    const bytes = this.read(size - this.position);
    // A line that is still being written may end within a character.
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.position += end;
    return bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  }

  private read(most: number): Buffer {
    const bytes = Buffer.alloc(most);
    const descriptor = openSync(this.file, 'r');
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, most, this.position));
    } finally {
      closeSync(descriptor);
    }
  }

  private size(): number {
    const descriptor = openSync(this.file, 'r');
    try {
      return fstatSync(descriptor).size;
    } finally {
      closeSync(descriptor);
    }
  }
}
