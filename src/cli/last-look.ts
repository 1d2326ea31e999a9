import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ExperimentId } from '../schema/ids.ts';
import type { DataHome } from '../services/data-home/data-home.ts';

/** `run/last-look.json`, version 1: when a person last saw each experiment's status. Losing it loses a courtesy only. */
const LastLooks = z.object({ version: z.literal(1), looks: z.record(z.string(), z.iso.datetime()) });

/** When this experiment was last looked at, null for never; from now on that is `now` (milliseconds since 1970). */
export function takeLastLook(home: DataHome, id: ExperimentId, now: number): string | null {
  const file = join(home.run, 'last-look.json');
  const looks = readLooks(file);
  const before = looks[id] ?? null;
  const document = { version: 1, looks: { ...looks, [id]: new Date(now).toISOString() } };
  writeLooks(file, `${JSON.stringify(document, null, 2)}\n`);
  return before;
}

/** Whoever may only read a data home looks as often as they like. */
function writeLooks(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}.part`, text);
    renameSync(`${file}.${process.pid}.part`, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function readLooks(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    return LastLooks.parse(JSON.parse(readFileSync(file, 'utf8'))).looks;
  } catch {
    return {};
  }
}
