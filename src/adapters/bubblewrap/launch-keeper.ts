import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KeeperSpec } from '../../schema/sandbox.ts';
import type { KeeperNursery } from './keeper-nursery.ts';
import { type KeeperProgram, keeperCommand } from './keeper-program.ts';

/**
 * Write `spec.json` and start a keeper that needs nobody: own session, empty environment, output to `keeper.log`.
 * Several may race: one takes the directory's lock, the others end. The nursery forks it; without one it is spawned.
 */
export async function launchKeeper(
  program: KeeperProgram,
  nursery: KeeperNursery,
  stateDirectory: string,
  spec: KeeperSpec,
): Promise<void> {
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const file = join(stateDirectory, 'spec.json');
  const scratch = `${file}.${randomUUID()}`;
  await writeFile(scratch, JSON.stringify(spec), { mode: 0o600 });
  if (program.account !== undefined) {
    for (const path of [stateDirectory, scratch]) await chown(path, program.account.uid, program.account.gid);
  }
  await rename(scratch, file);
  if (program.account !== undefined) return spawnKeeper(program, stateDirectory);
  return nursery.start(stateDirectory).catch(() => spawnKeeper(program, stateDirectory));
}

async function spawnKeeper(program: KeeperProgram, stateDirectory: string): Promise<void> {
  const log = await open(join(stateDirectory, 'keeper.log'), 'a', 0o600);
  try {
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
