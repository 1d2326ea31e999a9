import type { Cell } from './terminal-screen.ts';

const width = 8.4;
const height = 19;
const margin = 18;
const font = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** A terminal's screen as a picture; text stays text. */
export function screenSvg(lines: readonly (readonly Cell[])[], columns: number, title: string): string {
  const [wide, high] = [columns * width + 2 * margin, lines.length * height + 2 * margin];
  const rows = lines.flatMap((cells, row) =>
    runsOf(cells).map(({ from, text, style }) => {
      const place = `x="${(margin + from * width).toFixed(1)}" y="${margin + row * height + 14}"`;
      const length = `textLength="${(Array.from(text).length * width).toFixed(1)}"`;
      return `<text ${place} ${length}${style === '' ? '' : ` class="${style}"`}>${escaped(text)}</text>`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${wide.toFixed(0)} ${high}" role="img" aria-label="${escaped(title)}">
<style>text{font:14px ${font};fill:#d6deeb;white-space:pre}.bold{font-weight:700;fill:#fff}.dim{fill:#7f8ea3}.red{fill:#ff6b6b}.green{fill:#7ddc8a}.yellow{fill:#e8c66a}</style>
<rect width="100%" height="100%" rx="10" fill="#11161d"/>
${rows.join('\n')}
</svg>
`;
}

interface Run {
  readonly from: number;
  readonly text: string;
  readonly style: string;
}

/** Neighbours of one style; blanks at either end are left out. */
function runsOf(cells: readonly Cell[]): Run[] {
  const runs: { from: number; text: string; style: string }[] = [];
  for (const [index, { character, style }] of cells.entries()) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += character;
    else runs.push({ from: index, text: character, style });
  }
  return runs.flatMap(({ from, text, style }) => {
    const trimmed = text.trim();
    return trimmed === '' ? [] : [{ from: from + text.length - text.trimStart().length, text: trimmed, style }];
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
