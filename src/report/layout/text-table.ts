import Table from 'cli-table3';

const edges = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
] as const;

/** Columns two spaces apart, without borders or trailing spaces; colours do not count as width. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const table = new Table({
    chars: { ...Object.fromEntries(edges.map((edge) => [edge, ''])), middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
