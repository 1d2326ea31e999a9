import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { placeOf } from '../../adapters/directory-place.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { readPidFile } from '../processes/pid-file.ts';
import { storedTemporalAddress } from '../processes/service-specification.ts';

/** Where this data home's workflows are kept. `external`: named by TEMPORAL_ADDRESS and never started or stopped here. */
export interface TemporalAddress {
  readonly kind: 'embedded' | 'external';
  readonly address: string;
}

/** The address in force, without effects; null when the embedded server has none yet. */
export function currentTemporalAddress(home: DataHome, environment: NodeJS.ProcessEnv): TemporalAddress | null {
  const external = environment['TEMPORAL_ADDRESS'];
  if (external !== undefined && external !== '') return { kind: 'external', address: external };
  const stored = storedTemporalAddress(home);
  return stored === null ? null : { kind: 'embedded', address: stored };
}

/**
 * The address to start with: the stored one while its server runs or its port is free, else a new free port, stored.
 * The same port over restarts lets running clients reconnect.
 */
export async function claimTemporalAddress(home: DataHome, environment: NodeJS.ProcessEnv): Promise<TemporalAddress> {
  const current = currentTemporalAddress(home, environment);
  if (current?.kind === 'external') return current;
  if (current !== null) {
    const port = Number(current.address.split(':')[1]);
    if (readPidFile(join(home.run, 'temporal.pid')) !== null || (await freePort(port)) !== null) return current;
  }
  return { kind: 'embedded', address: await newTemporalAddress(home) };
}

/** An address that nobody listens at for now, stored as the one of the embedded server. */
export async function newTemporalAddress(home: DataHome): Promise<string> {
  const port = await freePort(0);
  if (port === null) throw new Error('no free port on 127.0.0.1');
  const address = `127.0.0.1:${port}`;
  storeTemporalAddress(home, address);
  return address;
}

/** Write down where the embedded server of a data home listens, or is about to: `<address> <place of the folder>`. */
export function storeTemporalAddress(home: DataHome, address: string): void {
  const file = join(home.run, 'temporal.address');
  writeFileSync(`${file}.part`, `${address} ${placeOf(home.run)}\n`);
  renameSync(`${file}.part`, file);
}

function freePort(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
