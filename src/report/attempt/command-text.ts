import type { LoggedCommand } from './attempt-story.ts';

/** One command in one line: number, exit code, time, its first line; what was answered from the record says so. */
export function commandText(
  { n, command, returncode, timedOut, durationMs, rerun }: LoggedCommand,
  columns: number,
): string {
  const [first = '', ...rest] = command.split('\n');
  const end = timedOut ? 'timed out' : `exit ${returncode ?? '?'}`;
  const again =
    rerun === null
      ? ''
      : ` (from the record${rerun.returncode === returncode ? '' : `; this time exit ${rerun.returncode ?? '?'}`})`;
  const more = `${rest.length === 0 ? '' : ` … ${rest.length} lines more`}${again}`;
  const head = `${String(n).padStart(3)}  ${end.padEnd(9)} ${`${durationMs} ms`.padStart(8)}  `;
  const room = Math.max(20, columns - head.length - more.length - 1);
  return `${head}${first.length > room ? `${first.slice(0, room - 1)}…` : first}${more}`;
}
