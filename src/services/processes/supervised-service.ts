import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { readPidFile, removePidFile, writePidFile } from './pid-file.ts';
import { isAlive, processIdentity, type ProcessIdentity } from './process-identity.ts';
import { sendSignal } from './send-signal.ts';
import { writeEnds } from './service-ends.ts';
import type { ServiceSpecification } from './service-specification.ts';

const firstDelayMs = 200;
const longestDelayMs = 5_000;
/** A service that ran this long starts again without the back-off of earlier failures. */
const settledMs = 20_000;
const pollMs = 250;
/** How long a socket may be missing: longer than a start takes. */
const deafMs = 10_000;

/**
 * Keeps one service running: adopts a live one, starts it when it is gone, with back-off while it keeps failing. What runs
 * is known by its process: a pid file that was lost or damaged is written again and never brings up a second one.
 */
export class SupervisedService {
  private running: ProcessIdentity | null = null;
  /** Whether the process that was launched here has not been seen to end yet. */
  private launched = false;
  private delayMs = firstDelayMs;
  private stopping = false;
  /** When the socket of which process was last there, or first looked for. */
  private heard: { readonly pid: number; at: number } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private ends = 0;
  private specification: ServiceSpecification;
  private readonly log: Logger;
  private readonly onEnd: () => Promise<void>;

  /** `onEnd` is waited for whenever the service ended by itself, before it is started again. */
  constructor(specification: ServiceSpecification, log: Logger, onEnd: () => Promise<void> = async () => {}) {
    this.specification = specification;
    this.log = log;
    this.onEnd = onEnd;
  }

  /** Start it in another way from now on. One that runs is killed for that: what it waits for may not be there any more. */
  respecify(specification: ServiceSpecification): void {
    this.specification = specification;
    const service = this.current();
    if (service !== null) sendSignal(service, 'SIGKILL');
  }

  start(): void {
    this.check();
  }

  /** End the service with SIGTERM, after `graceMs` with SIGKILL; resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const service = this.current();
    if (service !== null) {
      sendSignal(service, 'SIGTERM');
      const deadline = Date.now() + graceMs;
      while (isAlive(service)) {
        if (Date.now() > deadline) sendSignal(service, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    removePidFile(this.specification.pidFile);
  }

  private check(): void {
    if (this.stopping) return;
    const service = this.current();
    if (service !== null) {
      if (readPidFile(this.specification.pidFile)?.pid !== service.pid) this.announce(service.pid);
      this.restartDeaf(service);
    } else if (!this.launched) this.launch();
    this.checkIn(pollMs);
  }

  private checkIn(milliseconds: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = this.stopping ? null : setTimeout(() => this.check(), milliseconds);
  }

  private current(): ProcessIdentity | null {
    if (this.running === null || !isAlive(this.running)) this.running = readPidFile(this.specification.pidFile);
    return this.running;
  }

  /** A service whose socket was deleted, by a cleaner of /tmp for example, runs and is never heard of again. */
  private restartDeaf(service: ProcessIdentity): void {
    const { name, socket } = this.specification;
    if (socket === null || existsSync(socket) || this.heard?.pid !== service.pid) {
      this.heard = { pid: service.pid, at: Date.now() };
      return;
    }
    if (Date.now() - this.heard.at < deafMs) return;
    this.log.warn({ service: name, pid: service.pid, socket }, 'socket-lost');
    this.heard.at = Date.now();
    sendSignal(service, 'SIGTERM');
  }

  private announce(pid: number): void {
    try {
      writePidFile(this.specification.pidFile, pid);
    } catch (error) {
      this.log.warn({ service: this.specification.name, pid, error: String(error) }, 'pid-file-not-written');
    }
  }

  private launch(): void {
    const { name, command, parameters, environment, log } = this.specification;
    mkdirSync(dirname(log), { recursive: true });
    const output = openSync(log, 'a', 0o600);
    const child = spawn(command, parameters, { env: environment, stdio: ['ignore', output, output], detached: true });
    closeSync(output);
    const startedAt = Date.now();
    this.launched = true;
    if (child.pid !== undefined) {
      this.running = processIdentity(child.pid);
      this.announce(child.pid);
    }
    this.log.info({ service: name, pid: child.pid }, 'service-started');
    let told = false;
    const again = async (reason: string): Promise<void> => {
      if (told) return;
      told = true;
      if (!this.stopping) await this.ended(child.pid, reason);
      this.launched = false;
      if (this.stopping) return;
      if (Date.now() - startedAt > settledMs) this.delayMs = firstDelayMs;
      this.log.warn({ service: name, pid: child.pid, reason, againInMs: this.delayMs }, 'service-ended');
      this.checkIn(this.delayMs);
      this.delayMs = Math.min(longestDelayMs, this.delayMs * 2);
    };
    child.once('error', (error) => void again(error.message));
    child.once('exit', (code, endedBy) => void again(endedBy ?? `exit ${code}`));
  }

  private async ended(pid: number | undefined, reason: string): Promise<void> {
    this.ends += 1;
    try {
      writeEnds(this.specification.pidFile, this.ends);
      await this.onEnd();
    } catch (error) {
      this.log.warn({ service: this.specification.name, pid, reason, error: String(error) }, 'end-not-handled');
    }
  }
}
