import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLine } from '../adapters/last-line.ts';
import { AnnealError } from '../domain/errors.ts';
import { plainText } from '../domain/plain-text.ts';
import type { DataHome } from './data-home.ts';
import { readPidFile } from './pid-file.ts';
import type { ServiceName } from './service-specification.ts';

const startUpMs = 60_000;
const pollMs = 50;
/** Processes of one service that came and went before it is given up. */
const mostLives = 5;

/**
 * Wait until a service answers.
 * @throws AnnealError ANL-5007 with its last words, after a minute or when it keeps ending as soon as it is started.
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

function notStarted(home: DataHome, service: ServiceName, what: string): AnnealError {
  const words = plainText(lastLine(join(home.logs, `${service}.log`))).slice(0, 300);
  return new AnnealError('ANL-5007', { service }, { why: words === '' ? what : `${what}; its last words: ${words}` });
}
