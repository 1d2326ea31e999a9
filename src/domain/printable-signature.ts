/** At most 200 printable ASCII characters on one line: safe for a terminal, a record and a failure message. */
export function printableSignature(text: string): string {
  return text
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 200);
}
