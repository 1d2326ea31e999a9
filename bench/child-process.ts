import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts a module beside this one as a process, from sources or as built. */
export function startModule(relative: string, parameters: readonly string[] = []): ChildProcess {
  const source = import.meta.url.endsWith('.ts');
  const path = fileURLToPath(new URL(`${relative}${source ? '.ts' : '.js'}`, import.meta.url));
  return spawn(process.execPath, [...(source ? ['--import', 'tsx'] : []), path, ...parameters], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The first line that the child prints; throws when it ends before. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the child ended before it was ready');
}

/** A TCP port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Tries until `ready` does not throw; gives up after `seconds`, or at once when the child has ended. */
export async function untilReady(child: ChildProcess, ready: () => Promise<unknown>, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (true) {
    try {
      await ready();
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Asks the child to end and waits for it. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(timer);
}
