import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Sha256 } from '../schema/ids.ts';

/** SHA-256 of the UTF-8 bytes of `text`. Works inside a workflow, where `node:crypto` does not exist. */
export function sha256Of(text: string): Sha256 {
  return bytesToHex(sha256(utf8ToBytes(text))) as Sha256;
}
