import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** `-n, --lanes N`. */
export function lanesOption() {
  return new Option(
    '-n, --lanes <n>',
    'run this many attempts at a time; the experiment file says how many without it',
  ).argParser(parseLanes);
}

function parseLanes(text: string): number {
  const lanes = Number(text);
  if (isLaneCount(lanes)) return lanes;
  throw new InvalidArgumentError(`${laneRange}.`);
}

/** What lanes may be, in words. */
export const laneRange = 'lanes are a whole number from 1 to 512';

/** Whether a number may be that of lanes, see `laneRange`. */
export function isLaneCount(lanes: number): boolean {
  return Number.isInteger(lanes) && lanes >= 1 && lanes <= 512;
}

/** `--json`; `what` is its line in the help. */
export function jsonOption(what = 'print the result as JSON') {
  return new Option('--json', what);
}

/** What `[experiment]` may be. */
export const experimentHelp = 'its id, the beginning of its id, or its name; the newest without it';

/** What names a folder to write to; nothing is not the working directory. @throws InvalidArgumentError. */
export function parseFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('name a folder.');
  return text;
}
