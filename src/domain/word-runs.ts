/** Every run of `length` consecutive words of a text, lower case, with single spaces; repeated ones too. */
export function wordRuns(text: string, length: number): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const count = words.length - length + 1;
  return Array.from({ length: Math.max(0, count) }, (_, start) => words.slice(start, start + length).join(' '));
}
