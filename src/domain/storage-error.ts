import { AnnealError } from './errors.ts';

const full = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const refused = /^(EROFS|EACCES|EPERM|EIO|SQLITE_(READONLY|CANTOPEN|IOERR)\w*)$/;

/** What a disk that is full, read-only or broken threw, as the one error for it; null for anything else. */
export function storageError(error: unknown): AnnealError | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null;
  const details = { why: error.message, cause: error };
  if (full.has(code) || /database or disk is full/.test(error.message))
    return new AnnealError('ANL-3013', { path: path ?? 'the data home' }, details);
  return refused.test(code) ? new AnnealError('ANL-3012', { path: path ?? 'the data home' }, details) : null;
}
