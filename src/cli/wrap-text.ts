import { stripVTControlCharacters } from 'node:util';
import { roomOf } from '../report/layout/room-of.ts';

/** What stands at the left of a line, as `next  ` or ` attempts   `: what is wrapped goes on below the text behind it. */
const label = /^ *\S+(?: \S+)? {2,}/;
const widestLabel = 14;
/** What colours a line. */
const styles = /^(?:\u001b\[\d+m)+/;
/** A number and its unit stay together. */
const betweenWords = / +(?!(?:ms|s|m|h|d|%)(?: |$))/g;
/** Room for text below which nothing is indented. */
const narrowest = 16;
/** Commands are copied: they move to a line of their own and are never broken. */
const command = /^(?:or: )?(?:npx )?anneal /;

/**
 * Break lines that are wider than a terminal: first where three or more blanks part what stands side by side, then between
 * words. Colours take no room. A word that is wider than the terminal stays whole.
 */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => (roomOf(line) <= columns ? [line] : wrapLine(line, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string[] {
  const plain = stripVTControlCharacters(line);
  const labelled = label.exec(plain)?.[0].length ?? Number.POSITIVE_INFINITY;
  const blanks = plain.length - plain.trimStart().length;
  const start = labelled <= widestLabel ? labelled : blanks;
  const wanted = start === blanks ? blanks + 2 : start;
  const indent = columns - wanted < narrowest ? 0 : wanted;
  const cut = indexOfVisible(line, start);
  const lines: string[] = [line.slice(0, cut)];
  const add = ({ piece, gap }: Piece): void => {
    const last = lines.at(-1) ?? '';
    const first = lines.length === 1 && roomOf(last) === start;
    if (first) lines[0] = `${last}${piece}`;
    else if (roomOf(last) + gap.length + roomOf(piece) <= columns) lines[lines.length - 1] = `${last}${gap}${piece}`;
    else lines.push(`${' '.repeat(indent)}${piece}`);
  };
  for (const [index, part] of splitAt(line.slice(cut), / {3,}/g).entries()) {
    const room = columns - (index === 0 ? start : indent);
    if (command.test(stripVTControlCharacters(part.piece)) || roomOf(part.piece) <= room) add(part);
    else
      splitAt(part.piece, betweenWords).forEach(({ piece, gap }, word) =>
        add({ piece, gap: word === 0 ? part.gap : gap }),
      );
  }
  return lines;
}

/** Where the visible character of that number stands, escape sequences before it included. */
function indexOfVisible(line: string, visible: number): number {
  let index = 0;
  for (let seen = 0; ;) {
    const sequence = styles.exec(line.slice(index))?.[0].length ?? 0;
    index += sequence;
    if (seen === visible) return index;
    index += 1;
    seen += 1;
  }
}

interface Piece {
  /** Blanks before it. */
  readonly gap: string;
  readonly piece: string;
}

function splitAt(text: string, gaps: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let gap = '';
  for (const match of text.matchAll(gaps)) {
    pieces.push({ gap, piece: text.slice(from, match.index) });
    gap = match[0];
    from = match.index + gap.length;
  }
  return [...pieces, { gap, piece: text.slice(from) }];
}
