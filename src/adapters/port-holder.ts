import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** State of a listening socket in `/proc/net/tcp`. */
const listening = '0A';

/**
 * Who listens at a TCP port of IPv4 in this network namespace: the process `pid`, some `other` one, which may belong to another
 * machine that shares the namespace, or `nobody` as far as the system tells.
 */
export function portHolder(pid: number, port: number): 'this' | 'other' | 'nobody' {
  const sockets = listeningSockets(port);
  if (sockets.length === 0) return 'nobody';
  const own = socketsOf(pid);
  return sockets.some((socket) => own.has(socket)) ? 'this' : 'other';
}

/** Inodes of the sockets that listen at a port. */
function listeningSockets(port: number): readonly string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return textOf('/proc/net/tcp')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local, , state, , , , , , inode]) =>
      inode !== undefined && state === listening && local?.endsWith(ending) === true ? [`socket:[${inode}]`] : [],
    );
}

/** What the open descriptors of a process point at; nothing for one that is gone or belongs to somebody else. */
function socketsOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  try {
    return new Set(readdirSync(folder).map((descriptor) => targetOf(`${folder}/${descriptor}`)));
  } catch {
    return new Set();
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
