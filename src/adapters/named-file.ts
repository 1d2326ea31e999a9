import { constants, accessSync, readFileSync, readdirSync, statSync, type Dirent } from 'node:fs';
import { AnnealError, type SourcePosition } from '../domain/errors.ts';

/** Largest file of configuration, text or harness code, in bytes. */
const mostBytes = 8 << 20;
const notSpent = 'nothing was started, 0 tokens spent';

/**
 * Bytes of a file that a person named; `namedBy` is the place that names it.
 * @throws AnnealError ANL-1004 when there is none, ANL-1017 for a folder, pipe or device, for more than 8 MiB, and where
 * reading is not allowed. Never blocks.
 */
export function readNamedBytes(file: string, namedBy?: SourcePosition): Buffer {
  return asking(file, namedBy, () => {
    const { size, ...found } = statSync(file);
    if (!isRegular(found.mode)) throw unreadable(file, kindOf(found.mode), namedBy);
    if (size > mostBytes) {
      throw unreadable(
        file,
        `it holds ${(size / 2 ** 20).toFixed(1)} MiB, at most ${mostBytes / 2 ** 20} are read`,
        namedBy,
      );
    }
    return readFileSync(file);
  });
}

/**
 * Text of a file that a person named.
 * @throws AnnealError as `readNamedBytes`, and ANL-1017 for bytes that are not UTF-8: nothing is replaced silently.
 */
export function readNamedText(file: string, namedBy?: SourcePosition): string {
  const bytes = readNamedBytes(file, namedBy);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(file, 'it is not UTF-8 text', namedBy);
  }
}

/**
 * Entries of a folder that a person named.
 * @throws AnnealError ANL-1004 when there is none, ANL-1017 when it is no folder or may not be read.
 */
export function readNamedFolder(folder: string, namedBy?: SourcePosition): Dirent[] {
  return asking(folder, namedBy, () => {
    const { mode } = statSync(folder);
    if ((mode & constants.S_IFMT) !== constants.S_IFDIR) throw unreadable(folder, 'it is no folder', namedBy);
    accessSync(folder, constants.X_OK);
    return readdirSync(folder, { withFileTypes: true });
  });
}

function asking<Value>(path: string, namedBy: SourcePosition | undefined, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof AnnealError || !(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      throw new AnnealError('ANL-1004', { file: path }, { ...(namedBy && { at: [namedBy] }), notSpent });
    }
    throw unreadable(path, error.code === 'EACCES' ? 'permission denied' : error.message, namedBy);
  }
}

function unreadable(file: string, why: string, namedBy: SourcePosition | undefined): AnnealError {
  return new AnnealError('ANL-1017', { file }, { at: [namedBy ?? { file }], why, notSpent });
}

function isRegular(mode: number): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFREG;
}

function kindOf(mode: number): string {
  switch (mode & constants.S_IFMT) {
    case constants.S_IFDIR:
      return 'it is a folder';
    case constants.S_IFIFO:
      return 'it is a pipe';
    case constants.S_IFSOCK:
      return 'it is a socket';
    default:
      return 'it is a device';
  }
}
