import { existsSync, mkdirSync } from 'node:fs';
import { open, readFile, readdir, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { recordFileOf } from '../domain/record-file.ts';

/** A record with its place in the experiment's order. */
export interface NumberedRecord {
  readonly seq: number;
  readonly sealed: boolean;
  readonly body: unknown;
}

const openedSuffix = '.opened.jsonl';

/**
 * The JSONL files of one experiment: `records/<kind>s.jsonl` and `sealed/<kind>s.jsonl`, one line per record with its `seq`.
 * A projection: whatever is deleted, cut or damaged, at any time and by anybody, is written again in full.
 */
export class RecordFiles {
  private readonly records: string;
  private readonly sealed: string;
  private known: Projected | null = null;
  /** How the files stood when `known` was true of them. */
  private seen = '';

  constructor(records: string, sealed: string) {
    this.records = records;
    this.sealed = sealed;
  }

  /**
   * The `seq` up to which nothing is missing on disk, 0 for none. A last line without its end is cut off first, and a file
   * with a damaged line is set aside; a record that stands beyond a gap is not counted and not written again.
   */
  async lastSeq(): Promise<number> {
    return (await this.projected()).last;
  }

  /** Append the records that do not stand there yet, in order, durably. One append at a time. */
  async append(records: readonly NumberedRecord[]): Promise<void> {
    const projected = await this.projected();
    const opened = (await readdir(this.records)).some((name) => name.endsWith(openedSuffix));
    const chunks = new Map<string, { text: string; seqs: number[] }>();
    for (const { seq, sealed, body } of records) {
      if (seq <= projected.last || projected.beyond.has(seq)) continue;
      const file = join(sealed && !opened ? this.sealed : this.records, recordFileOf(body));
      const chunk = chunks.get(file) ?? { text: '', seqs: [] };
      chunk.text += `${JSON.stringify({ seq, ...(body as object) })}\n`;
      chunk.seqs.push(seq);
      chunks.set(file, chunk);
    }
    for (const [file, { text, seqs }] of chunks) {
      this.known = null;
      await appendDurably(file, text);
      for (const seq of seqs) projected.beyond.add(seq);
    }
    closeGaps(projected);
    this.known = projected;
    this.seen = await this.standing();
  }

  /** Move the sealed files beside the open ones. Idempotent. */
  async openSealed(): Promise<void> {
    if (!existsSync(this.sealed)) return;
    mkdirSync(this.records, { recursive: true });
    for (const name of await readdir(this.sealed)) {
      if (!name.endsWith('.jsonl')) continue;
      await rename(join(this.sealed, name), join(this.records, name.replace(/\.jsonl$/, openedSuffix)));
    }
  }

  private async projected(): Promise<Projected> {
    const standing = await this.standing();
    if (this.known !== null && standing === this.seen) return this.known;
    this.known = null;
    const projected = await this.read();
    this.seen = await this.standing();
    this.known = projected;
    return projected;
  }

  /** Names, sizes and times of the files: another text than before means that somebody else touched them. */
  private async standing(): Promise<string> {
    const files: string[] = [];
    for (const folder of [this.records, this.sealed]) {
      mkdirSync(folder, { recursive: true });
      for (const name of await readdir(folder)) {
        if (!name.endsWith('.jsonl')) continue;
        const { ino, size, mtimeMs } = await stat(join(folder, name));
        files.push(`${folder}/${name} ${ino} ${size} ${mtimeMs}`);
      }
    }
    return files.toSorted().join('\n');
  }

  private async read(): Promise<Projected> {
    const projected: Projected = { last: 0, beyond: new Set() };
    for (const folder of [this.records, this.sealed]) {
      for (const name of await readdir(folder)) {
        if (!name.endsWith('.jsonl')) continue;
        for (const seq of await seqsOf(join(folder, name))) projected.beyond.add(seq);
      }
    }
    closeGaps(projected);
    return projected;
  }
}

/** What stands on disk: everything up to `last`, and what lies beyond a gap. */
interface Projected {
  last: number;
  readonly beyond: Set<number>;
}

function closeGaps(projected: Projected): void {
  while (projected.beyond.delete(projected.last + 1)) projected.last++;
}

async function appendDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.appendFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function seqsOf(file: string): Promise<number[]> {
  const bytes = await readFile(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.byteLength) await truncate(file, end);
  const lines = bytes.subarray(0, end).toString('utf8').split('\n');
  const seqs = lines.flatMap((line) => (line === '' ? [] : [seqOf(line)]));
  if (!seqs.includes(null)) return seqs.filter((seq) => seq !== null);
  await rename(file, `${file}.${Date.now()}.damaged`);
  return [];
}

function seqOf(line: string): number | null {
  try {
    const { seq } = JSON.parse(line) as { readonly seq?: unknown };
    return typeof seq === 'number' ? seq : null;
  } catch {
    return null;
  }
}
