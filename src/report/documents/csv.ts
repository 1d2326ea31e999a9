/** A cell: null is empty, never 0. */
export type CsvCell = string | number | boolean | null;

/** RFC 4180 with LF. Text that a spreadsheet would run as a formula is led by an apostrophe; numbers stay numbers. */
export function csvText(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\n`).join('');
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
