import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowIds } from '../../workflows/workflow-ids.ts';
import { GatewayClient } from '../../src/adapters/gateway-client.ts';
import { attemptsInFlight } from '../../src/services/processes/attempts-in-flight.ts';
import type { Check } from '../../src/services/doctor/check.ts';
import { runDoctor } from '../../src/services/doctor/doctor.ts';
import { isExperimentClosed } from '../../src/services/data-home/experiment-closed.ts';
import type { LeftBehind } from '../../src/services/processes/left-behind.ts';
import { currentTemporalAddress } from '../../src/services/temporal/temporal-address.ts';
import { type ProviderServer, startProviderServer } from '../support/provider-server.ts';
import { WholeRun, packExperiment, reducedSplits } from '../support/whole-run.ts';

/** Ends every workflow of the experiment as an operator of Temporal would: without asking it. */
async function terminate(run: WholeRun): Promise<void> {
  const address = currentTemporalAddress(run.home, {})?.address ?? '';
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const prefix = workflowIds.experiment(run.lock.id);
  const ids: string[] = [];
  for await (const { workflowId, status } of workflow.list({ query: `WorkflowId STARTS_WITH "${prefix}"` })) {
    if (status.name === 'RUNNING') ids.push(workflowId);
  }
  // The innermost first: a parent that ends asks its children to cancel.
  for (const id of ids.toSorted((left, right) => right.length - left.length)) {
    await workflow
      .getHandle(id)
      .terminate('by a test')
      .catch((error: unknown) => {
        // One whose child was terminated a moment ago may have ended of that.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
  }
  await connection.close();
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
}

describe('keepers whose workflow was terminated', () => {
  let run: WholeRun;
  let server: ProviderServer;
  let running: readonly LeftBehind[];
  let orphans: readonly LeftBehind[];
  let keepers: Check | undefined;
  let refused: unknown;
  let afterClose: number;

  beforeAll(async () => {
    server = await startProviderServer();
    server.script(...Array.from({ length: 50 }, () => ({ kind: 'stall' }) as const));
    run = new WholeRun({ LEFT_BEHIND_KEY: 'a-key' });
    const model = `{ provider: openai, baseUrl: '${server.baseUrl}', model: m, keyVariable: LEFT_BEHIND_KEY }`;
    await run.start(packExperiment(reducedSplits, model), 2);
    await until(() => attemptsInFlight(run.home).length === 2);
    running = await run.engine.leftBehind();
    refused = await run.engine.closeExperiment(run.lock).catch((error: unknown) => error);
    await terminate(run);
    await until(async () => (await run.engine.live(run.lock))?.run === 'failed');
    orphans = await run.engine.leftBehind();
    keepers = (await runDoctor(run.engine, {})).find(({ name }) => name === 'keepers');
    await run.engine.closeExperiment(run.lock);
    afterClose = attemptsInFlight(run.home).length;
  }, 240_000);

  afterAll(async () => {
    await run.remove();
    await server.close();
  });

  test('are told as left behind, and not while it runs', () => {
    expect(running).toEqual([]);
    expect(orphans.map(({ experiment }) => experiment)).toEqual([run.lock.id, run.lock.id]);
    expect(keepers).toMatchObject({ state: 'warn', fix: 'anneal down' });
  });

  test('are ended by closing the experiment, which is refused while it runs', async () => {
    expect(refused).toMatchObject({ code: 'ANL-1011' });
    expect(afterClose).toBe(0);
    expect(isExperimentClosed(run.home, run.lock.id)).toBe(true);
    const gateway = new GatewayClient(run.home.controlSocket);
    expect((await gateway.openLeases({ experimentId: run.lock.id })).leases).toEqual([]);
    await gateway.disconnect();
    expect(run.report()).toMatchObject({ state: 'cancelled', findings: [] });
  });
});

describe('a keeper whose workflow was terminated', () => {
  let run: WholeRun;
  let server: ProviderServer;

  beforeAll(async () => {
    server = await startProviderServer();
    server.script(...Array.from({ length: 50 }, () => ({ kind: 'stall' }) as const));
    run = new WholeRun({ LEFT_BEHIND_KEY: 'a-key' });
    const model = `{ provider: openai, baseUrl: '${server.baseUrl}', model: m, keyVariable: LEFT_BEHIND_KEY }`;
    await run.start(packExperiment(reducedSplits, model), 1);
    await until(() => attemptsInFlight(run.home).length === 1);
    await terminate(run);
    await until(async () => (await run.engine.live(run.lock))?.run === 'failed');
  }, 180_000);

  afterAll(async () => {
    await run.remove();
    await server.close();
  });

  test('is ended by down, which waits for no attempt that nobody will ask about', async () => {
    const said: string[] = [];
    const began = Date.now();
    await run.engine.down({ now: false }, (line) => said.push(line));
    expect(said[0]).toBe('ending 1 keeper that a workflow which is gone left behind');
    expect(attemptsInFlight(run.home)).toEqual([]);
    // Its wall limit is at least 30 s away.
    expect(Date.now() - began).toBeLessThan(28_000);
  }, 60_000);
});
