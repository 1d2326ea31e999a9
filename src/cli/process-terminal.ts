import { createLogUpdate } from 'log-update';
import picocolors from 'picocolors';
import { plainPalette, type Palette } from '../report/palette.ts';
import type { LiveArea, Terminal } from './terminal.ts';

const defaultColumns = 100;

/** The terminal of this process. Colours only on a terminal and without NO_COLOR. */
export function processTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = process;
  return {
    print: (text) => void stdout.write(`${text}\n`),
    narrate: (text) => void stderr.write(`${text}\n`),
    live: stderr.isTTY && environment['TERM'] !== 'dumb' ? liveArea() : null,
    palette: paletteOf(stdout.isTTY, environment),
    narrationPalette: paletteOf(stderr.isTTY, environment),
    columns: stdout.columns ?? defaultColumns,
  };
}

function paletteOf(isTerminal: boolean, environment: NodeJS.ProcessEnv): Palette {
  const wanted = isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  return wanted ? picocolors.createColors(true) : plainPalette;
}

function liveArea(): LiveArea {
  const log = createLogUpdate(process.stderr);
  return { draw: (text) => log(text), end: () => log.done() };
}
