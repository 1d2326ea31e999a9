import { createHash } from 'node:crypto';
import type { Sha256 } from '../schema/ids.ts';

/** SHA-256 of bytes, or of the UTF-8 bytes of a text, by Node: for everything outside workflows. */
export function byteDigest(bytes: Uint8Array | string): Sha256 {
  return createHash('sha256').update(bytes).digest('hex') as Sha256;
}
