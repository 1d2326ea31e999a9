import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeUnitOrder } from '../../domain/code-unit-order.ts';
import { AnnealError } from '../../domain/errors.ts';
import { Sha256 } from '../../schema/ids.ts';
import { plainRelativePath } from './source-path.ts';

const largestFile = 64 * 1024 * 1024;

interface TreeFile {
  /** Slash-separated, below the tree's root. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
  readonly sha256: Sha256;
}

/** A folder as it was listed; nothing of its contents is held. */
export interface Tree {
  /** By path. */
  readonly files: readonly TreeFile[];
  /** Every folder below the root, empty ones too, by path. */
  readonly folders: readonly string[];
}

/** What stands for a folder that is not there. */
export const emptyTree: Tree = { files: [], folders: [] };

/** SHA-256 of some bytes, in hex. */
export function sha256(bytes: Uint8Array | string): Sha256 {
  return Sha256.parse(createHash('sha256').update(bytes).digest('hex'));
}

/**
 * Everything below a folder, or null if there is none. Throws ANL-1203 at a link, a device, a file over 64 MiB, or a name
 * that is no plain relative path: such a tree is not copied in part.
 */
export async function listTree(root: string, task: string): Promise<Tree | null> {
  const there = await stat(root).catch(() => null);
  if (there === null || !there.isDirectory()) return null;
  const files: TreeFile[] = [];
  const folders: string[] = [];
  const refuse = (path: string, why: string): never => {
    throw new AnnealError('ANL-1203', { task }, { at: [{ file: join(root, path) }], why });
  };
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const absolute = join(entry.parentPath, entry.name);
    const path = absolute.slice(root.length + 1);
    try {
      plainRelativePath(path);
    } catch (error) {
      refuse(path, String(error instanceof Error ? error.message : error));
    }
    if (entry.isDirectory()) folders.push(path);
    else if (!entry.isFile()) refuse(path, 'only regular files and folders are imported, never links or devices');
    else {
      const { size } = await stat(absolute);
      if (size > largestFile) refuse(path, `${size} bytes; at most ${largestFile} are imported`);
      const bytes = await readFile(absolute);
      files.push({ path, absolute, bytes: bytes.length, sha256: sha256(bytes) });
    }
  }
  return { files: files.toSorted((a, b) => codeUnitOrder(a.path, b.path)), folders: folders.toSorted(codeUnitOrder) };
}
