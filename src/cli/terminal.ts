import type { Palette } from '../report/palette.ts';

/** Where a command writes: results and narration never share a stream. */
export interface Terminal {
  /** A result, on standard output; a line end is added. */
  print(text: string): void;
  /** Narration, on standard error; a line end is added. */
  narrate(text: string): void;
  /** An area that is redrawn in place; null where standard error is no terminal. */
  readonly live: LiveArea | null;
  /** Colours of results, those of narration apart: either stream may be a pipe. */
  readonly palette: Palette;
  readonly narrationPalette: Palette;
  readonly columns: number;
}

export interface LiveArea {
  /** Replace what stands there. */
  draw(text: string): void;
  /** Leave what stands there and go on below it. */
  end(): void;
}
