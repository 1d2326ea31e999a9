import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** `-n, --lanes N`. */
export function lanesOption() {
  return new Option('-n, --lanes <n>', 'attempts in flight at a time').argParser(parseLanes);
}

function parseLanes(text: string): number {
  const lanes = Number(text);
  if (isLaneCount(lanes)) return lanes;
  throw new InvalidArgumentError(`${laneRange}.`);
}

/** What lanes may be, in words. */
export const laneRange = 'lanes are a whole number from 1 to 512';

export function isLaneCount(lanes: number): boolean {
  return Number.isInteger(lanes) && lanes >= 1 && lanes <= 512;
}

/** `--json`. */
export function jsonOption(what = 'print JSON') {
  return new Option('--json', what);
}

/** What `[experiment]` may be. */
export const experimentHelp = 'id, a prefix of one, or a name; the newest without it';
