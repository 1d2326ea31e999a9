import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ExperimentId } from '../schema/ids.ts';
import type { DataHome } from '../services/data-home.ts';

/** `run/last-look.json`, version 1: when a person last saw each experiment's status. Losing it loses a courtesy only. */
const LastLooks = z.object({ version: z.literal(1), looks: z.record(z.string(), z.iso.datetime()) });

/** When this experiment was last looked at, null for never; from now on that is `now` (milliseconds since 1970). */
export function takeLastLook(home: DataHome, id: ExperimentId, now: number): string | null {
  const file = join(home.run, 'last-look.json');
  const looks = readLooks(file);
  const before = looks[id] ?? null;
  mkdirSync(home.run, { recursive: true });
  const document = { version: 1, looks: { ...looks, [id]: new Date(now).toISOString() } };
  writeFileSync(`${file}.${process.pid}.part`, `${JSON.stringify(document, null, 2)}\n`);
  renameSync(`${file}.${process.pid}.part`, file);
  return before;
}

function readLooks(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    return LastLooks.parse(JSON.parse(readFileSync(file, 'utf8'))).looks;
  } catch {
    return {};
  }
}
