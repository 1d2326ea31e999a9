import { readFileSync } from 'node:fs';

/** Text of a file that may come and go while it is asked for; empty where there is none or it cannot be read. */
export function textIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
