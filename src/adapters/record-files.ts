import { existsSync, mkdirSync } from 'node:fs';
import { open, readFile, readdir, rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** A record with its place in the experiment's order. */
export interface NumberedRecord {
  readonly seq: number;
  readonly sealed: boolean;
  readonly body: unknown;
}

const openedSuffix = '.opened.jsonl';

/**
 * The JSONL files of one experiment: `records/<kind>s.jsonl` and `sealed/<kind>s.jsonl`, one line per record with its `seq`.
 * A projection: it can be deleted and is then written again in full.
 */
export class RecordFiles {
  private readonly records: string;
  private readonly sealed: string;
  private last: number | null = null;

  constructor(records: string, sealed: string) {
    this.records = records;
    this.sealed = sealed;
  }

  /** Highest `seq` on disk, 0 for none. A last line without its end is cut off first. */
  async lastSeq(): Promise<number> {
    if (this.last !== null) return this.last;
    let last = 0;
    for (const folder of [this.records, this.sealed]) {
      mkdirSync(folder, { recursive: true });
      for (const name of await readdir(folder)) {
        if (name.endsWith('.jsonl')) last = Math.max(last, await lastSeqOf(join(folder, name)));
      }
    }
    this.last = last;
    return last;
  }

  /** Append records that are newer than what stands there, in order, durably. */
  async append(records: readonly NumberedRecord[]): Promise<void> {
    const last = await this.lastSeq();
    const opened = (await readdir(this.records)).some((name) => name.endsWith(openedSuffix));
    const chunks = new Map<string, string>();
    for (const { seq, sealed, body } of records) {
      if (seq <= last) continue;
      const kind = typeof body === 'object' && body !== null && 'kind' in body ? String(body.kind) : 'record';
      const folder = sealed && !opened ? this.sealed : this.records;
      const file = join(folder, `${kind === 'query' ? 'queries' : kind === 'usage' ? 'usage' : `${kind}s`}.jsonl`);
      chunks.set(file, `${chunks.get(file) ?? ''}${JSON.stringify({ seq, ...(body as object) })}\n`);
      this.last = seq;
    }
    for (const [file, text] of chunks) {
      const handle = await open(file, 'a', 0o600);
      try {
        await handle.appendFile(text);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    }
  }

  /** Move the sealed files beside the open ones. Idempotent. */
  async openSealed(): Promise<void> {
    if (!existsSync(this.sealed)) return;
    for (const name of await readdir(this.sealed)) {
      if (!name.endsWith('.jsonl')) continue;
      await rename(join(this.sealed, name), join(this.records, name.replace(/\.jsonl$/, openedSuffix)));
    }
  }
}

async function lastSeqOf(file: string): Promise<number> {
  const bytes = await readFile(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.byteLength) await truncate(file, end);
  const lines = bytes.subarray(0, end).toString('utf8').trimEnd().split('\n');
  const line = lines.at(-1);
  return line === undefined || line === '' ? 0 : Number((JSON.parse(line) as { seq: number }).seq);
}
