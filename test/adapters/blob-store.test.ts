import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BlobStore } from '../../src/adapters/blob-store.ts';

let folder: string;
let store: BlobStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-blobs-'));
  store = new BlobStore(folder);
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the blob store', () => {
  test('gives back any bytes under their hash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const { sha256, bytes: size } = await store.put(bytes);
        expect(size).toBe(bytes.byteLength);
        expect(new Uint8Array(await store.get(sha256))).toEqual(bytes);
      }),
      { numRuns: 25 },
    );
  });

  test('keeps the same bytes once, also when many write them at the same time', async () => {
    const refs = await Promise.all(Array.from({ length: 20 }, () => store.put('the same')));
    expect(new Set(refs.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(readdirSync(dirname(store.path(refs[0]?.sha256 ?? '')))).toHaveLength(1);
  });

  test('refuses bytes that are not those of their name', async () => {
    const { sha256 } = await store.put('right');
    chmodSync(store.path(sha256), 0o600);
    writeFileSync(store.path(sha256), 'wrong');
    await expect(store.get(sha256)).rejects.toMatchObject({ code: 'ANL-6001' });
  });

  test('says that a blob is missing', async () => {
    const refusal = { code: 'ANL-6001', why: expect.stringContaining('is missing') };
    await expect(store.get('0'.repeat(64))).rejects.toMatchObject(refusal);
  });

  test('writes a cut blob anew when its bytes come again', async () => {
    const { sha256 } = await store.put('right');
    chmodSync(store.path(sha256), 0o600);
    writeFileSync(store.path(sha256), 'ri');
    await store.put('right');
    expect(await store.getText(sha256)).toBe('right');
  });

  test('keeps text and JSON as they are', async () => {
    const text = await store.put('Umlaut: ä\r\n');
    expect(await store.getText(text.sha256)).toBe('Umlaut: ä\r\n');
    const json = await store.putJson({ a: [1, null, 'x'] });
    expect(await store.getJson(json.sha256)).toEqual({ a: [1, null, 'x'] });
  });
});
