import { statSync } from 'node:fs';

/**
 * What tells a folder from a copy of it: device and inode, as `<device>:<inode>`. A folder that is renamed keeps it. Empty for
 * a folder that is absent.
 */
export function placeOf(directory: string): string {
  const found = statSync(directory, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}

/** Whether what carries a place was written in this very folder; what carries none is believed. */
export function isPlacedIn(place: string, directory: string): boolean {
  return place === '' || place === placeOf(directory);
}
