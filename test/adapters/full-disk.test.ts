import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../support/full-disk-program.ts', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'full-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Run a part of the program in mount and user namespaces of its own, where `folder` is a disk of two megabytes. */
async function onSmallDisk(what: string): Promise<unknown> {
  const inside = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" --import tsx "$3" "$1" "$4"';
  const words = ['-U', '-r', '-m', 'sh', '-c', inside, 'sh', folder, process.execPath, program, what];
  const { stdout } = await execa('unshare', words, { timeout: 60_000 });
  return JSON.parse(stdout);
}

describe('a disk that fills up', () => {
  test('during a blob leaves no part of it, and the same blob is written once there is room', async () => {
    expect(await onSmallDisk('blob')).toEqual({ code: 'ANL-3013', parts: [], stillThere: 'first', again: true });
  });

  test('during a record leaves those before it, and the others follow once there is room, each once', async () => {
    expect(await onSmallDisk('record')).toEqual({ code: 'ANL-3013', before: 1, seqs: [1, 2, 3] });
  });

  test('during a call keeps its answer until it can be written: nothing is lost, nothing sent twice', async () => {
    expect(await onSmallDisk('ledger')).toMatchObject({
      unsaid: 'waits',
      code: 'ANL-3013',
      status: 200,
      rows: ['settled reported'],
      audit: [0, []],
    });
  });

  test('while the built-in pack is built is told as that, read-only as anneal up tells it; nothing is left, and it is built later', async () => {
    expect(await onSmallDisk('pack')).toEqual({
      code: 'ANL-3013',
      left: [],
      readOnly: ['ANL-1018', 'ANL-1018'],
      again: true,
    });
  });

  test('before a call lets nothing be sent, and says that the gateway did not serve it', async () => {
    const seen = (await onSmallDisk('ledger')) as { bill: { calls: number; tokens: number }; charged: number };
    expect(seen).toMatchObject({ second: 503, unserved: [null, 'gateway_error'], bill: { calls: 1 } });
    expect(seen.charged).toBe(seen.bill.tokens);
  });
});
