import { plainText } from '../domain/plain-text.ts';
import type { Palette } from '../report/layout/palette.ts';

/** A patch as a person reads it: what the files themselves hold of escape sequences is gone, the colours are ours. */
export function colouredDiff(patch: string, palette: Palette): string {
  return plainText(patch)
    .split('\n')
    .map((line) => {
      if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return palette.bold(line);
      if (line.startsWith('@@')) return palette.dim(line);
      if (line.startsWith('+')) return palette.green(line);
      return line.startsWith('-') ? palette.red(line) : line;
    })
    .join('\n');
}
