import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeUnitOrder } from '../../domain/code-unit-order.ts';
import type { Sha256 } from '../../schema/ids.ts';
import { sha256 } from './list-tree.ts';

/** One file of a package that is not written yet; `executable` is false by default. */
export interface PackageFile {
  /** Slash-separated, below the package. */
  readonly path: string;
  readonly bytes: Uint8Array | string;
  readonly executable?: boolean;
}

/** Writes files and folders with fixed modes (644, 755), whatever the umask. Existing files are replaced. */
export async function writePackage(
  directory: string,
  files: readonly PackageFile[],
  folders: readonly string[],
): Promise<void> {
  const every = new Set([...folders, ...files.map(({ path }) => dirname(path))].flatMap(withAncestors));
  for (const folder of [...every].toSorted(codeUnitOrder)) {
    await mkdir(join(directory, folder), { recursive: true });
    await chmod(join(directory, folder), 0o755);
  }
  for (const { path, bytes, executable = false } of files) {
    await writeFile(join(directory, path), bytes);
    await chmod(join(directory, path), executable ? 0o755 : 0o644);
  }
}

function withAncestors(folder: string): string[] {
  return folder === '.' ? ['.'] : [...withAncestors(dirname(folder)), folder];
}

/** SHA-256 over the listing of a package, sorted by path: one line `<sha256>  <path>` for each file. */
export function packageDigest(files: readonly PackageFile[]): Sha256 {
  const lines = files.map(({ path, bytes }) => ({ path, line: `${sha256(bytes)}  ${path}\n` }));
  return sha256(
    lines
      .toSorted((a, b) => codeUnitOrder(a.path, b.path))
      .map(({ line }) => line)
      .join(''),
  );
}
