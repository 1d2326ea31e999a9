import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AnnealError } from '../domain/errors.ts';
import type { Sha256 } from '../schema/ids.ts';
import type { BlobRef } from '../updaters/step-machine.ts';

/** Content-addressed files below `directory/sha256/ab/<digest>`; the key is the content's hash, so writes are idempotent. */
export class BlobStore {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Store bytes durably; the same bytes twice are one file. */
  async put(bytes: Uint8Array | string): Promise<BlobRef> {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
    const sha256 = createHash('sha256').update(buffer).digest('hex') as Sha256;
    const path = this.path(sha256);
    if (!(await exists(path))) {
      await mkdir(dirname(path), { recursive: true });
      const part = `${path}.${randomBytes(4).toString('hex')}.part`;
      const file = await open(part, 'w', 0o600);
      try {
        await file.writeFile(buffer);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
    }
    return { sha256, bytes: buffer.byteLength };
  }

  /** Store a JSON document. */
  async putJson(value: unknown): Promise<BlobRef> {
    return this.put(JSON.stringify(value));
  }

  /** @throws AnnealError ANL-6001 when the stored bytes do not hash to their name. */
  async get(sha256: string): Promise<Buffer> {
    const bytes = await readFile(this.path(sha256));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
      throw new AnnealError('ANL-6001', { object: `blob ${sha256.slice(0, 12)}` });
    }
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
