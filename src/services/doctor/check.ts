/** One finding of `anneal doctor`. `fix` is null unless the check failed or warns. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix: string | null;
}

/** What works. */
export function ok(name: string, detail: string): Check {
  return { name, state: 'ok', detail, fix: null };
}

/** What works for now, and the command that mends it. */
export function warn(name: string, detail: string, fix: string): Check {
  return { name, state: 'warn', detail, fix };
}

/** What does not work, and the command that mends it. */
export function fail(name: string, detail: string, fix: string): Check {
  return { name, state: 'fail', detail, fix };
}
