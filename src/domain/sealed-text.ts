/** What stands where sealed text was. */
export const sealMark = '[sealed]';

/**
 * Takes every occurrence of the sealed strings out, longest first, whatever their case. A string whose ends are
 * letters or digits only matches where no letter or digit adjoins it: 12 is not taken out of 120.
 */
export function removeSealed(text: string, sealed: readonly string[]): { text: string; removed: number } {
  let removed = 0;
  let shown = text;
  for (const secret of sealed.map((entry) => entry.trim()).toSorted((left, right) => right.length - left.length)) {
    if (secret === '') continue;
    shown = shown.replaceAll(occurrencesOf(secret), () => {
      removed += 1;
      return sealMark;
    });
  }
  return { text: shown, removed };
}

/** A pattern for whole occurrences of `text`; blanks in it match any run of blanks. */
export function occurrencesOf(text: string, flags: 'gi' | 'g' = 'gi'): RegExp {
  const body = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
  const before = /^[\p{L}\p{N}]/u.test(text) ? String.raw`(?<![\p{L}\p{N}])` : '';
  const after = /[\p{L}\p{N}]$/u.test(text) ? String.raw`(?![\p{L}\p{N}])` : '';
  return new RegExp(before + body + after, `${flags}u`);
}
