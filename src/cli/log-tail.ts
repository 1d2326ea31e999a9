import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes read from the end of a log to find its last lines. */
const tailBytes = 262_144;

/** A log file that is read from its last lines on. */
export class LogTail {
  private readonly file: string;
  private position = 0;
  private rest = '';

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
    if (size < this.position) {
      this.position = 0;
      this.rest = '';
    }
    if (size === this.position) return [];
    const bytes = Buffer.alloc(size - this.position);
    const descriptor = openSync(this.file, 'r');
    try {
      readSync(descriptor, bytes, 0, bytes.length, this.position);
    } finally {
      closeSync(descriptor);
    }
    this.position = size;
    const lines = `${this.rest}${bytes.toString('utf8')}`.split('\n');
    this.rest = lines.pop() ?? '';
    return lines;
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
