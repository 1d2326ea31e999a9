/** What stands where sealed text was. */
const sealMark = '[sealed]';

/** `anywhere`: also inside a longer word. `whole`: only where no letter or digit adjoins: 12 is not taken out of 120. */
export type SealMatch = 'anywhere' | 'whole';

/** Takes every occurrence of the sealed strings out, longest first, whatever their case and however their blanks run. */
export function removeSealed(
  text: string,
  sealed: readonly string[],
  match: SealMatch,
): { readonly text: string; readonly removed: number } {
  let removed = 0;
  let shown = text;
  for (const secret of sealed.map((entry) => entry.trim()).toSorted((left, right) => right.length - left.length)) {
    if (secret === '') continue;
    shown = shown.replaceAll(occurrencesOf(secret, match), () => {
      removed += 1;
      return sealMark;
    });
  }
  return { text: shown, removed };
}

/** A pattern for occurrences of `text`; blanks in it match any run of blanks. */
export function occurrencesOf(text: string, match: SealMatch, flags: 'gi' | 'g' = 'gi'): RegExp {
  const body = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
  const bounded = (edge: RegExp): boolean => match === 'whole' && edge.test(text);
  const before = bounded(/^[\p{L}\p{N}]/u) ? String.raw`(?<![\p{L}\p{N}])` : '';
  const after = bounded(/[\p{L}\p{N}]$/u) ? String.raw`(?![\p{L}\p{N}])` : '';
  return new RegExp(before + body + after, `${flags}u`);
}
