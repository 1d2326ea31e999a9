import { expect, it } from 'vitest';
import { toldStorageError } from '../../src/domain/told-storage-error.ts';

const traceback = (last: string): string =>
  ['Traceback (most recent call last):', '  File "build.py", line 58, in <module>', last].join('\n');

it.each([
  ['OSError: [Errno 28] No space left on device', 'ANL-3013'],
  ["OSError: [Errno 122] Disk quota exceeded: 'x'", 'ANL-3013'],
  ["OSError: [Errno 30] Read-only file system: '/home/packs/x.part'", 'ANL-3012'],
  ["PermissionError: [Errno 13] Permission denied: '/home/packs/x.part'", 'ANL-3012'],
  ['OSError: [Errno 5] Input/output error', 'ANL-3012'],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'x'", null],
  ['ModuleNotFoundError: No module named openpyxl', null],
  ['', null],
])('a Python process that ends with "%s" tells of %s', (last, code) => {
  const error = toldStorageError(traceback(last), '/home/packs/x');
  expect(error?.code ?? null).toBe(code);
  if (error === null) return;
  expect(error).toMatchObject({ exit: 5, why: last, notSpent: 'nothing was started, 0 tokens spent' });
  expect(error.message).toContain('/home/packs/x');
});
