import { z } from 'zod';
import type { LoggedCommand } from '../report/attempt/attempt-story.ts';
import { parsedJson } from '../domain/parsed-json.ts';

/** What is shown of a line of the keeper's command log. */
const Line = z.object({
  n: z.number(),
  command: z.string(),
  returncode: z.number().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number(),
  rerun: z.object({ returncode: z.number().nullable() }).nullable().default(null),
});

/** The commands of a keeper's log; damaged lines are left out. */
export function loggedCommands(log: string): LoggedCommand[] {
  return log.split('\n').flatMap((line) => Line.safeParse(parsedJson(line)).data ?? []);
}
