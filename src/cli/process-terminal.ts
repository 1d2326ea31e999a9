import { stripVTControlCharacters } from 'node:util';
import { createLogUpdate } from 'log-update';
import picocolors from 'picocolors';
import { plainPalette, type Palette } from '../report/layout/palette.ts';
import { processKeyboard } from './process-keyboard.ts';
import type { LiveArea, Terminal } from './terminal.ts';
import { wrapText } from './wrap-text.ts';

const defaultColumns = 100;

/**
 * The terminal of this process. Colours only on a terminal and without NO_COLOR; lines are wrapped only there, and not where
 * programs read them (`wraps` false).
 */
export function processTerminal(environment: NodeJS.ProcessEnv, wraps: boolean): Terminal {
  const { stdout, stderr } = process;
  return {
    print: (text) => void stdout.write(`${fitted(text, stdout, wraps)}\n`),
    narrate: (text) => void stderr.write(`${fitted(text, stderr, wraps)}\n`),
    live: stderr.isTTY && environment['TERM'] !== 'dumb' ? liveArea() : null,
    keyboard: processKeyboard(),
    palette: paletteOf(stdout.isTTY, environment),
    narrationPalette: paletteOf(stderr.isTTY, environment),
    get columns() {
      return stdout.columns ?? stderr.columns ?? defaultColumns;
    },
  };
}

function fitted(text: string, { isTTY, columns }: NodeJS.WriteStream, wraps: boolean): string {
  return wraps && isTTY ? wrapText(text, columns) : text;
}

function paletteOf(isTerminal: boolean, environment: NodeJS.ProcessEnv): Palette {
  const wanted = isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  return wanted ? picocolors.createColors(true) : plainPalette;
}

/** log-update shifts no line that stays the same: where the number of rows changes, all of them are drawn anew. */
function liveArea(): LiveArea {
  const log = createLogUpdate(process.stderr);
  let rows = 0;
  return {
    draw: (text) => {
      const columns = process.stderr.columns ?? defaultColumns;
      const wanted = rowsOf(wrapText(text, columns), columns);
      if (wanted !== rows) log.clear();
      rows = wanted;
      log(wrapText(text, columns));
    },
    end: () => log.done(),
  };
}

function rowsOf(text: string, columns: number): number {
  const lines = stripVTControlCharacters(text).split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
