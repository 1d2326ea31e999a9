import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type KeeperProgram, keeperCommand } from './keeper-program.ts';

type NurseryProcess = ChildProcessByStdio<Writable, Readable, null>;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * A small process that forks keepers. Spawning one from a worker of several hundred megabytes blocks its event loop for
 * about 20 ms; this takes one. Started when first needed, again when it died; keepers do not depend on it.
 */
export class KeeperNursery {
  readonly #program: KeeperProgram;
  #process: NurseryProcess | null = null;
  #waiting: Waiting[] = [];

  constructor(program: KeeperProgram) {
    this.#program = program;
  }

  /** Start the keeper of a prepared state directory; resolves when it was forked. */
  async start(stateDirectory: string): Promise<void> {
    const nursery = this.#process ?? (await this.#open());
    holdProcess(nursery, true);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ resolve, reject });
        nursery.stdin.write(`${JSON.stringify(stateDirectory)}\n`, (error) => {
          if (error) this.#fail(nursery, error);
        });
      });
    } finally {
      if (this.#waiting.length === 0) holdProcess(nursery, false);
    }
  }

  async #open(): Promise<NurseryProcess> {
    const [command, parameters] = keeperCommand(this.#program, 'nurse');
    const nursery = spawn(command, parameters, {
      cwd: '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#process = nursery;
    nursery.once('error', (error) => this.#fail(nursery, error));
    nursery.once('exit', () => this.#fail(nursery, new Error('the nursery ended')));
    nursery.stdin.on('error', () => undefined);
    createInterface({ input: nursery.stdout }).on('line', () => this.#waiting.shift()?.resolve());
    nursery.unref();
    holdProcess(nursery, false);
    await once(nursery, 'spawn');
    return nursery;
  }

  #fail(nursery: NurseryProcess, error: Error): void {
    if (this.#process !== nursery) return;
    this.#process = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** Whether this process stays for an answer of the nursery: only while one is awaited, or it would end before it comes. */
function holdProcess(nursery: NurseryProcess, hold: boolean): void {
  for (const stream of [nursery.stdin, nursery.stdout] as unknown as Socket[]) {
    if (hold) stream.ref();
    else stream.unref();
  }
}
