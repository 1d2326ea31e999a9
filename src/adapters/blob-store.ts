import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { byteDigest } from './byte-digest.ts';
import { AnnealError } from '../domain/errors.ts';
import type { BlobRef } from '../updaters/step-machine.ts';

/** Content-addressed files below `directory/sha256/ab/<digest>`; the key is the content's hash, so writes are idempotent. */
export class BlobStore {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Store bytes durably; the same bytes twice are one file, and one of another length is written anew. */
  async put(bytes: Uint8Array | string): Promise<BlobRef> {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
    const sha256 = byteDigest(buffer);
    const path = this.path(sha256);
    if (!(await holds(path, buffer.byteLength))) {
      await mkdir(dirname(path), { recursive: true });
      const part = `${path}.${randomBytes(4).toString('hex')}.part`;
      try {
        await writeDurably(part, buffer);
        await rename(part, path);
      } catch (error) {
        // A full disk is tried again and again: what it took must not fill it further.
        await rm(part, { force: true });
        throw error;
      }
    }
    return { sha256, bytes: buffer.byteLength };
  }

  /** Store a JSON document. */
  async putJson(value: unknown): Promise<BlobRef> {
    return this.put(JSON.stringify(value));
  }

  /** @throws AnnealError ANL-6001 when there is no such blob, or the stored bytes do not hash to their name. */
  async get(sha256: string): Promise<Buffer> {
    const object = `blob ${sha256.slice(0, 12)}`;
    const bytes = await readBlob(this.path(sha256), object);
    if (byteDigest(bytes) !== sha256) throw new AnnealError('ANL-6001', { object });
    return bytes;
  }

  async getText(sha256: string): Promise<string> {
    return (await this.get(sha256)).toString('utf8');
  }

  async getJson(sha256: string): Promise<unknown> {
    return JSON.parse(await this.getText(sha256));
  }

  /** Host path of a blob. */
  path(sha256: string): string {
    return join(this.directory, 'sha256', sha256.slice(0, 2), sha256);
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function holds(path: string, bytes: number): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size === bytes,
    () => false,
  );
}

/** @throws AnnealError ANL-6001 when there is no such file. */
async function readBlob(path: string, object: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new AnnealError('ANL-6001', { object }, { why: `${path} is missing`, cause: error });
  }
}
