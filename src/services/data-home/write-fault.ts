/** Why a file or folder cannot be made, in words; its code where there are none. */
export function writeFault(error: Error & { readonly code: unknown }): string {
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return 'it may not be made here';
    case 'EROFS':
      return 'the disk is read-only';
    case 'ENOSPC':
      return 'the disk is full';
    case 'ENAMETOOLONG':
      return 'the path is too long';
    case 'EISDIR':
      return 'it is a folder';
    default:
      return `it cannot be made (${String(error.code)})`;
  }
}
