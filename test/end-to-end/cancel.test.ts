import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayClient } from '../../src/adapters/gateway-client.ts';
import type { ExperimentUsage, OpenLease } from '../../src/schema/gateway.ts';
import { attemptsInFlight } from '../../src/services/processes/attempts-in-flight.ts';
import type { LiveState } from '../../src/services/engine.ts';
import { isExperimentClosed } from '../../src/services/data-home/experiment-closed.ts';
import { WholeRun, packExperiment, reducedSplits } from '../support/whole-run.ts';

describe('an experiment that is paused and then cancelled in the middle of an attempt', () => {
  let run: WholeRun;
  let ended: LiveState['run'];
  let paused: LiveState | null;
  let leases: readonly OpenLease[];
  let usage: ExperimentUsage;
  let again: string;
  let keepers: number;

  beforeAll(async () => {
    run = new WholeRun();
    await run.start(packExperiment(reducedSplits), 2);
    while (
      !attemptsInFlight(run.home).some(({ stateDirectory }) => existsSync(join(stateDirectory, 'commands.jsonl')))
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await run.engine.pause(run.lock);
    paused = await run.engine.live(run.lock);
    await run.engine.cancel(run.lock);
    ended = await run.end();
    keepers = attemptsInFlight(run.home).length;
    again = await run.engine.start(run.lock);
    const gateway = new GatewayClient(run.home.controlSocket);
    ({ leases } = await gateway.openLeases({ experimentId: run.lock.id }));
    usage = await gateway.usage({ experimentId: run.lock.id });
    await gateway.disconnect();
    await run.engine.down({ now: false }, () => {});
  }, 300_000);

  afterAll(() => run.remove());

  test('says that it is paused, and then that it was cancelled', () => {
    expect(paused).toMatchObject({ run: 'running', paused: true });
    expect(ended).toBe('cancelled');
  });

  test('leaves no sandbox and no lease behind', () => {
    expect(keepers).toBe(0);
    expect(leases).toEqual([]);
  });

  test('writes the report of what there is, every token of the ledger included', () => {
    const report = run.report();
    expect(report).toMatchObject({ state: 'cancelled', findings: [] });
    const charged = usage.roles.reduce((sum, role) => sum + role.charged, 0);
    expect((report.resources.tokens ?? []).reduce((sum, role) => sum + role.charged, 0)).toBe(charged);
    expect(charged).toBeGreaterThan(0);
  });

  test('passes its audit, and its numbers are derived again', async () => {
    expect(await run.faults()).toEqual([]);
  });

  test('is closed and is not started again', () => {
    expect(isExperimentClosed(run.home, run.lock.id)).toBe(true);
    expect(again).toBe('closed');
  });
});
