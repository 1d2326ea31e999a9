import { parsedJson } from '../domain/parsed-json.ts';
import { plainText } from '../domain/plain-text.ts';
import { plainPalette, type Palette } from '../report/layout/palette.ts';

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
/** Fields of a log line that are shown elsewhere in it, or say nothing here. */
const shownElsewhere = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'name', 'v']);

/** A pino line as `12:03:41 warn  service-ended  service=gateway againInMs=200`; anything else as it is. */
export function renderLogLine(line: string, palette: Palette = plainPalette): string {
  const entry = parse(line);
  if (entry === null) return plainText(line);
  const level = levels[Number(entry['level'])] ?? text(entry['level']);
  const fields = Object.entries(entry)
    .filter(([key]) => !shownElsewhere.has(key))
    .map(([key, value]) => `${palette.dim(`${key}=`)}${text(value)}`);
  const shown =
    level === 'error' || level === 'fatal' ? palette.red(level) : level === 'warn' ? palette.yellow(level) : level;
  const padding = ' '.repeat(Math.max(0, 5 - level.length));
  return [timeOf(entry['time']), `${shown}${padding}`, text(entry['msg']), ...fields].join('  ').trimEnd();
}

function text(value: unknown): string {
  return typeof value === 'string' ? plainText(value) : value === undefined ? '' : JSON.stringify(value);
}

function timeOf(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : null;
  return date === null || Number.isNaN(date.getTime()) ? '        ' : date.toISOString().slice(11, 19);
}

function parse(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  const value = parsedJson(line);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
