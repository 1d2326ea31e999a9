import { z } from 'zod';

/** What is shown of a line of the keeper's command log. */
const LoggedCommand = z.object({
  n: z.number(),
  command: z.string(),
  returncode: z.number().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number(),
});

/** The commands of an attempt, one line each: number, exit code, time, first line. Damaged lines are left out. */
export function commandLines(log: string, columns: number): string[] {
  return log.split('\n').flatMap((line) => {
    const parsed = parse(line);
    if (parsed === null) return [];
    const { n, command, returncode, timedOut, durationMs } = parsed;
    const [first = '', ...rest] = command.split('\n');
    const end = timedOut ? 'timed out' : `exit ${returncode ?? '?'}`;
    const more = rest.length === 0 ? '' : ` … ${rest.length} lines more`;
    const head = `${String(n).padStart(3)}  ${end.padEnd(9)} ${`${durationMs} ms`.padStart(8)}  `;
    const room = Math.max(20, columns - head.length - more.length - 1);
    return [`${head}${first.length > room ? `${first.slice(0, room - 1)}…` : first}${more}`];
  });
}

function parse(line: string): z.infer<typeof LoggedCommand> | null {
  if (line === '') return null;
  try {
    return LoggedCommand.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
