/** How a screen sets words off; every function returns its text unchanged where there is no colour. */
export interface Palette {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

const same = (text: string): string => text;

/** For files, pipes and NO_COLOR. */
export const plainPalette: Palette = { bold: same, dim: same, red: same, yellow: same, green: same };

/** What a screen is drawn for. */
export interface ScreenSettings {
  /** Width of the terminal in characters. */
  readonly columns: number;
  readonly palette: Palette;
}
