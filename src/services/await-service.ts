import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLine } from '../adapters/last-line.ts';
import { AnnealError, isAnnealError } from '../domain/errors.ts';
import { plainText } from '../domain/plain-text.ts';
import type { DataHome } from './data-home.ts';
import { readPidFile } from './pid-file.ts';
import type { ServiceName } from './service-specification.ts';

/** What the server says of a file that is no database, or one of another version. */
const foreignDatabase =
  /SQLite|SQL logic error|not a database|malformed|no such (table|column)|no column named|schema/i;

const startUpMs = 60_000;
const pollMs = 50;
/** Processes of one service that came and went before it is given up. */
const mostLives = 5;

/**
 * Wait until a service answers.
 * @throws AnnealError what it ended with where that is an error of the table, ANL-5008 for a database that Temporal cannot use,
 * else ANL-5007 with its last words; after a minute or when it keeps ending as soon as it is started.
 */
export async function awaitService(
  home: DataHome,
  service: ServiceName,
  answers: () => Promise<boolean>,
): Promise<void> {
  const lives = new Set<number>();
  for (const deadline = Date.now() + startUpMs; Date.now() < deadline; await sleep(pollMs)) {
    if (await answers().catch(() => false)) return;
    const running = readPidFile(join(home.run, `${service}.pid`));
    if (running !== null) lives.add(running.pid);
    if (lives.size >= mostLives) throw notStarted(home, service, `it ended ${lives.size - 1} times after its start`);
  }
  throw notStarted(home, service, `no answer in ${startUpMs / 1000} s`);
}

/** The error of the table that a service ended with, null for any other last words. */
function toldError(line: string): AnnealError | null {
  try {
    const document: unknown = JSON.parse(line);
    if (!isAnnealError(document)) return null;
    const { code, fields, why, next } = document;
    return new AnnealError(code, fields as never, { ...(why === null ? {} : { why }), next });
  } catch {
    return null;
  }
}

function notStarted(home: DataHome, service: ServiceName, what: string): AnnealError {
  const last = lastLine(join(home.logs, `${service}.log`));
  const words = plainText(last).slice(0, 300);
  const told = toldError(last);
  if (told !== null) return told;
  if (service === 'temporal' && foreignDatabase.test(words)) {
    const notSpent = '0 tokens spent';
    return new AnnealError('ANL-5008', { file: home.temporalDatabase }, { why: words, notSpent });
  }
  return new AnnealError('ANL-5007', { service }, { why: words === '' ? what : `${what}; its last words: ${words}` });
}
