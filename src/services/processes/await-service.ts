import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLine } from '../../adapters/last-line.ts';
import { AnnealError, isAnnealError } from '../../domain/errors.ts';
import { plainText } from '../../domain/plain-text.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { type ServiceEnds, readEnds } from './service-ends.ts';
import type { ServiceName } from './service-specification.ts';

/** What the server says of a file that is no database, or one of another version. */
const foreignDatabase =
  /SQLite|SQL logic error|not a database|malformed|no such (table|column)|no column named|schema/i;
/** Another process, one that is about to end for example, has the file. */
const fileInUse = /locked|busy/i;

const startUpMs = 60_000;
const pollMs = 50;
/** How often a service may end, for whatever reason, before it is given up. */
const mostEnds = 5;

/**
 * Wait until a service answers. `before` is what the supervisor had counted when the start began.
 * @throws AnnealError what it ended with where that is an error of the table, ANL-5008 for a database that Temporal cannot use,
 * both as soon as it has ended with it; else ANL-5007 with its last words, when it keeps ending or after a minute.
 */
export async function awaitService(
  home: DataHome,
  service: ServiceName,
  before: ServiceEnds,
  answers: () => Promise<boolean>,
): Promise<void> {
  for (const deadline = Date.now() + startUpMs; Date.now() < deadline; await sleep(pollMs)) {
    if (await answers().catch(() => false)) return;
    const ends = readEnds(home)[service] - before[service];
    const final = ends > 0 ? finalError(home, service) : null;
    if (final !== null) throw final;
    if (ends >= mostEnds) throw notStarted(home, service, `it ended ${ends} times after its start`);
  }
  throw finalError(home, service) ?? notStarted(home, service, `no answer in ${startUpMs / 1000} s`);
}

/** What no other start of the service would change, by its last words; null for everything else. */
function finalError(home: DataHome, service: ServiceName): AnnealError | null {
  const last = lastLine(join(home.logs, `${service}.log`));
  const words = shortened(last);
  const told = toldError(last);
  if (told !== null) return told.retryable ? null : told;
  if (service !== 'temporal' || !foreignDatabase.test(words) || fileInUse.test(words)) return null;
  return new AnnealError('ANL-5008', { file: home.temporalDatabase }, { why: words, notSpent: '0 tokens spent' });
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
  const words = shortened(last);
  return (
    toldError(last) ??
    new AnnealError('ANL-5007', { service }, { why: words === '' ? what : `${what}; its last words: ${words}` })
  );
}

function shortened(line: string): string {
  return plainText(line).slice(0, 300);
}
