import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KeeperSpec } from '../../schema/sandbox.ts';

/** How keepers are started on this host. */
export interface KeeperProgram {
  /** Interpreter, Python 3.11 or newer; default `/usr/bin/python3`. */
  readonly python?: string;
  /** Folder that holds `keeper.py`. */
  readonly keeperDirectory: string;
  /** Where compiled Python is kept, so that the second keeper starts in half the time; default beside the sources. */
  readonly bytecodeDirectory?: string;
  /** Run keepers as this account instead of the worker's own; only root can. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** Command line of the keeper in one of its modes. */
export function keeperCommand(program: KeeperProgram, ...mode: string[]): [string, string[]] {
  const cache = program.bytecodeDirectory === undefined ? [] : ['-X', `pycache_prefix=${program.bytecodeDirectory}`];
  const script = join(program.keeperDirectory, 'keeper.py');
  return [program.python ?? '/usr/bin/python3', [...cache, '-I', '-S', script, ...mode]];
}

/**
 * Write `spec.json` and start a keeper that needs nobody: own session, empty environment, output to `keeper.log`.
 * Several may race: one takes the directory's lock, the others end.
 */
export async function launchKeeper(program: KeeperProgram, stateDirectory: string, spec: KeeperSpec): Promise<void> {
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const file = join(stateDirectory, 'spec.json');
  const scratch = `${file}.${randomUUID()}`;
  await writeFile(scratch, JSON.stringify(spec), { mode: 0o600 });
  const log = await open(join(stateDirectory, 'keeper.log'), 'a', 0o600);
  try {
    if (program.account !== undefined) {
      for (const path of [stateDirectory, scratch]) await chown(path, program.account.uid, program.account.gid);
    }
    await rename(scratch, file);
    const [command, parameters] = keeperCommand(program, 'run', stateDirectory);
    const child = spawn(command, parameters, {
      cwd: dirname(stateDirectory),
      detached: true,
      env: {},
      stdio: ['ignore', log.fd, log.fd],
      ...program.account,
    });
    child.unref();
    await once(child, 'spawn');
  } finally {
    await log.close();
  }
}
