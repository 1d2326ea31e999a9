import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Bytes that `text` takes in UTF-8. */
export function utf8Length(text: string): number {
  return utf8ToBytes(text).length;
}
