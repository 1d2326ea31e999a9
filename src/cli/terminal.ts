import type { Palette } from '../report/layout/palette.ts';

/** Where a command writes: results and narration never share a stream. */
export interface Terminal {
  /** A result, on standard output; a line end is added. */
  print(text: string): void;
  /** Narration, on standard error; a line end is added. */
  narrate(text: string): void;
  /** An area that is redrawn in place; null where standard error is no terminal. */
  readonly live: LiveArea | null;
  /** Single keys without a line end; null where nobody can press one: standard input is no terminal, or not ours now. */
  readonly keyboard: Keyboard | null;
  /** Colours of results, those of narration apart: either stream may be a pipe. */
  readonly palette: Palette;
  readonly narrationPalette: Palette;
  readonly columns: number;
}

/** Lines at the end of standard error that replace each other. */
export interface LiveArea {
  /** Replace what stands there. */
  draw(text: string): void;
  /** Leave what stands there and go on below it. */
  end(): void;
}

/** One key: a character, or the word for it (`return`, `escape`, `up`, `backspace`). */
export interface Key {
  readonly name: string;
  readonly ctrl: boolean;
}

/** Standard input, a key at a time. */
export interface Keyboard {
  /** Hear every key until the returned function is called; Ctrl-C keeps its meaning. */
  listen(press: (key: Key) => void): () => void;
}
