import { stripVTControlCharacters } from 'node:util';

/** Columns that a text takes on a terminal: its characters without colours. */
export function roomOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
