import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayClient } from '../../src/adapters/gateway-client.ts';

/** The real gateway as a child process, to be killed and started again on the same files. */
export interface GatewayProcess {
  readonly control: GatewayClient;
  readonly start: () => Promise<void>;
  /** SIGKILL, or what is given; resolves when the process is gone, with its exit code. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Standard error of all lives so far. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

export function gatewayProcess(environment: Record<string, string> = {}): GatewayProcess {
  const directory = mkdtempSync(join(tmpdir(), 'gwp-'));
  const socket = join(directory, 'control.sock');
  const control = new GatewayClient(socket);
  const children: ChildProcess[] = [];
  let log = '';

  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> => {
    const child = children.findLast((one) => one.exitCode === null && one.signalCode === null);
    if (child === undefined) return null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  };

  return {
    control,
    kill,
    log: () => log,
    start: async () => {
      const files = ['--ledger', join(directory, 'ledger.db'), '--sockets', join(directory, 's'), '--control', socket];
      const parameters = ['--import', 'tsx', 'src/gateway/main.ts', ...files, '--back-off-ms', '5'];
      const started = spawn(process.execPath, parameters, {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...environment },
      });
      children.push(started);
      started.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
      for (let tries = 0; ; tries += 1) {
        try {
          await control.health({});
          return;
        } catch (error) {
          if (tries > 400 || started.exitCode !== null)
            throw new Error(`the gateway did not start: ${log}`, { cause: error });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
    close: async () => {
      for (const _ of children) await kill();
      await control.disconnect();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
