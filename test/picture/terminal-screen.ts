/** One character with the colours and weights that set it off. */
export interface Cell {
  readonly character: string;
  readonly style: string;
}

const sequence = /\u001b\[(\?)?([\d;]*)([A-Za-z])/y;

/**
 * What a terminal shows after it received `text`, line by line: enough of one for the sequences that anneal writes (styles,
 * cursor moves, erased lines). Lines that scrolled away are kept.
 */
export function terminalScreen(text: string, columns: number): Cell[][] {
  const lines: Cell[][] = [[]];
  let [row, column, style] = [0, 0, ''];
  const line = (): Cell[] => {
    while (lines.length <= row) lines.push([]);
    return lines[row] ?? [];
  };
  for (let index = 0; index < text.length;) {
    sequence.lastIndex = index;
    const found = sequence.exec(text);
    if (found !== null) {
      const [whole, mode, digits = '', command] = found;
      const count = Number(digits === '' ? 1 : digits);
      if (mode === undefined) {
        if (command === 'm') style = styleAfter(style, digits);
        else if (command === 'A') row = Math.max(0, row - count);
        else if (command === 'B') row += count;
        else if (command === 'G') column = count - 1;
        else if (command === 'K') line().splice(digits === '2' ? 0 : column);
      }
      index += whole.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(index) ?? 32);
    index += character.length;
    if (character === '\n') row += 1;
    else if (character === '\r') column = 0;
    else {
      if (column >= columns) [row, column] = [row + 1, 0];
      const cells = line();
      while (cells.length < column) cells.push({ character: ' ', style: '' });
      cells[column] = { character, style };
      column += 1;
    }
  }
  return lines;
}

const names: Readonly<Record<string, string>> = { '1': 'bold', '2': 'dim', '31': 'red', '32': 'green', '33': 'yellow' };

function styleAfter(style: string, digits: string): string {
  const styles = new Set(style.split(' ').filter(Boolean));
  for (const code of digits.split(';')) {
    if (code === '' || code === '0') styles.clear();
    else if (code === '22') ['bold', 'dim'].forEach((name) => styles.delete(name));
    else if (code === '39') ['red', 'green', 'yellow'].forEach((name) => styles.delete(name));
    else if (names[code] !== undefined) styles.add(names[code]);
  }
  return [...styles].toSorted().join(' ');
}
