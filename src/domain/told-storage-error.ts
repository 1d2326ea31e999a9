import { AnnealError } from './errors.ts';
import { storageError } from './storage-error.ts';

/** What Python prints for a disk that is full, read-only or broken, by its number on Linux. */
const codes: ReadonlyMap<string, string> = new Map([
  ['1', 'EPERM'],
  ['5', 'EIO'],
  ['13', 'EACCES'],
  ['28', 'ENOSPC'],
  ['30', 'EROFS'],
  ['122', 'EDQUOT'],
]);

/**
 * The storage error that a Python process told of in its output while it wrote to `path`, before anything was spent; null
 * where it failed on something else.
 */
export function toldStorageError(output: string, path: string): AnnealError | null {
  const told = [...output.matchAll(/^.*\[Errno (\d+)\].*$/gm)].at(-1);
  const code = codes.get(told?.[1] ?? '');
  if (told === undefined || code === undefined) return null;
  const why = told[0].trim();
  const error = storageError(Object.assign(new Error(why), { code, path }));
  if (error === null) return null;
  const kind = error.code === 'ANL-3013' ? error.code : 'ANL-3012';
  return new AnnealError(kind, { path }, { why, notSpent: 'nothing was started, 0 tokens spent' });
}
