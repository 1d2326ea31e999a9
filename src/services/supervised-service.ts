import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Logger } from 'pino';
import { readPidFile, removePidFile, writePidFile } from './pid-file.ts';
import { isAlive } from './process-identity.ts';
import type { ServiceSpecification } from './service-specification.ts';

const firstDelayMs = 200;
const longestDelayMs = 5_000;
/** A service that ran this long starts again without the back-off of earlier failures. */
const settledMs = 20_000;
const pollMs = 250;

/** Keeps one service running: adopts a live one, starts it when it is gone, with back-off while it keeps failing. */
export class SupervisedService {
  private delayMs = firstDelayMs;
  private stopping = false;
  private timer: NodeJS.Timeout | null = null;
  private readonly specification: ServiceSpecification;
  private readonly log: Logger;

  constructor(specification: ServiceSpecification, log: Logger) {
    this.specification = specification;
    this.log = log;
  }

  start(): void {
    this.check();
  }

  /** End the service with SIGTERM, after `graceMs` with SIGKILL; resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const process_ = readPidFile(this.specification.pidFile);
    if (process_ !== null) {
      process.kill(process_.pid, 'SIGTERM');
      const deadline = Date.now() + graceMs;
      while (isAlive(process_)) {
        if (Date.now() > deadline) process.kill(process_.pid, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    removePidFile(this.specification.pidFile);
  }

  private check(): void {
    if (this.stopping) return;
    if (readPidFile(this.specification.pidFile) === null) this.launch();
    else this.timer = setTimeout(() => this.check(), pollMs);
  }

  private launch(): void {
    const { name, command, parameters, environment, pidFile, log } = this.specification;
    const output = openSync(log, 'a', 0o600);
    const child = spawn(command, parameters, { env: environment, stdio: ['ignore', output, output], detached: true });
    closeSync(output);
    const startedAt = Date.now();
    if (child.pid !== undefined) writePidFile(pidFile, child.pid);
    this.log.info({ service: name, pid: child.pid }, 'service-started');
    let ended = false;
    const again = (reason: string): void => {
      if (ended) return;
      ended = true;
      if (this.stopping) return;
      if (Date.now() - startedAt > settledMs) this.delayMs = firstDelayMs;
      this.log.warn({ service: name, pid: child.pid, reason, againInMs: this.delayMs }, 'service-ended');
      this.timer = setTimeout(() => this.check(), this.delayMs);
      this.delayMs = Math.min(longestDelayMs, this.delayMs * 2);
    };
    child.once('error', (error) => again(error.message));
    child.once('exit', (code, signal) => again(signal ?? `exit ${code}`));
  }
}
