/** Where a key of a TOML document stands; line and column count from 1. */
export interface TomlPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Find the line that sets a key: `key =` below `[its.table]` or `[[its.table]]`, a dotted key, or an inline table. Falls back
 * to the table's header, and to null for what is not written down at all. Parsers give no positions.
 */
export function tomlPosition(text: string, path: readonly string[]): TomlPosition | null {
  let table: readonly string[] = [];
  let fallback: TomlPosition | null = null;
  let quote: string | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (quote !== null) {
      if (line.includes(quote)) quote = null;
      continue;
    }
    const header = /^\s*\[{1,2}([^\]]+)\]{1,2}/.exec(line)?.[1];
    if (header !== undefined) {
      table = namesOf(header);
      if (table.length > 0 && startsWith(path, table)) fallback = { line: index + 1, column: columnOf(line, '[') };
    }
    const assigned = header === undefined ? /^\s*([^=#]+?)\s*=\s*(.*)$/.exec(line) : null;
    if (assigned === null) continue;
    const [, keys = '', value = ''] = assigned;
    const set = [...table, ...namesOf(keys)];
    quote = openQuote(value);
    if (!startsWith(path, set)) continue;
    const inner = path.slice(set.length).at(-1);
    const at = inner === undefined ? null : new RegExp(`\\b${inner}\\s*=`).exec(line);
    const found = { line: index + 1, column: (at?.index ?? line.search(/\S/)) + 1 };
    if (inner === undefined || at !== null) return found;
    fallback = found;
  }
  return fallback;
}

function namesOf(dotted: string): string[] {
  return dotted.split('.').map((name) => name.trim().replaceAll(/^["']|["']$/g, ''));
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((name, index) => name === path[index]);
}

function columnOf(line: string, what: string): number {
  return line.indexOf(what) + 1;
}

/** The mark that ends a text of several lines, null where the value ends on its line. */
function openQuote(value: string): string | null {
  const mark = ['"""', "'''"].find((each) => value.startsWith(each)) ?? null;
  return mark !== null && !value.slice(mark.length).includes(mark) ? mark : null;
}
