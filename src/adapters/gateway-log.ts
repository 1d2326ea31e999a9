import { pino } from 'pino';
import type { Redactor } from './redactor.ts';

/** JSON lines for `write`, with every secret replaced by value, wherever in the line it stands. */
export function createGatewayLog(redactor: Redactor, write: (line: string) => void, level = 'info'): pino.Logger {
  return pino(
    { name: 'gateway', level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(redactor.redact(line)) },
  );
}
