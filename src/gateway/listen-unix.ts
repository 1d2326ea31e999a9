import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname } from 'node:path';
import { AnnealError } from '../domain/errors.ts';

/** Longest path the kernel takes for a socket, in bytes, without its closing NUL. */
const MAX_SOCKET_PATH = 107;

/**
 * Listens at a socket of mode 0600. With `uid`, and as root, the socket is that user's and its directory is passable for
 * all (0711); else both are this process's alone (0700). A socket left by an earlier process is replaced. Too long: ANL-3011.
 */
export async function listenUnix(server: Server, path: string, uid?: number): Promise<void> {
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH) throw new AnnealError('ANL-3011', { path });
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  chmodSync(path, 0o600);
  giveSocket(path, uid);
}

/** Hands the socket to a user, where this process may. */
export function giveSocket(path: string, uid: number | undefined): void {
  if (uid === undefined || process.getuid?.() !== 0) return;
  chownSync(path, uid, uid);
  chmodSync(dirname(path), 0o711);
}

/** Stops listening and ends every connection. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
