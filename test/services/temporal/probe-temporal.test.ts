import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createEngine } from '../../../src/services/create-engine.ts';
import { dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import type { Check } from '../../../src/services/doctor/check.ts';
import { runDoctor } from '../../../src/services/doctor/doctor.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTemporalServer } from '../../support/temporal-server.ts';

/** What doctor says of a server that is kept elsewhere. */
async function doctored(address: string): Promise<Check | undefined> {
  const environment = { TEMPORAL_ADDRESS: address };
  const engine = createEngine(dataHomeAt(temporaryFolder('home')), environment);
  return (await runDoctor(engine, environment)).find(({ name }) => name === 'temporal');
}

/** An address at which nobody listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

test('a server elsewhere that does not answer fails the doctor, with the way out', async () => {
  const address = await deadAddress();
  const check = await doctored(address);
  expect(check?.state).toBe('fail');
  expect(check?.detail).toMatch(new RegExp(`^Temporal is not reachable at ${address}: .*, 1 try in 2 s$`));
  expect(check?.fix).toContain('unset TEMPORAL_ADDRESS');
});

test('a server elsewhere that answers is ok', async () => {
  const { environment, stop } = await startTemporalServer();
  try {
    const { address } = environment;
    expect(await doctored(address)).toEqual({ name: 'temporal', state: 'ok', detail: address, fix: null });
  } finally {
    await stop();
  }
});
