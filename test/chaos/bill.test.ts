import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallRow } from '../../src/schema/call-row.ts';
import type { Report } from '../../src/schema/report.ts';
import { freezeOnServer, serverEnvironment } from '../support/server-experiment.ts';
import { type SimulatedServer, startSimulatedServer } from '../support/simulated-server.ts';
import { WholeRun } from '../support/whole-run.ts';
import { Killer } from './killer.ts';

const key = 'sk-chaos-0123456789';
const splits = {
  feedback: ['office-mini/x1'],
  selection: ['office-mini/x3'],
  'final-in-domain': ['office-mini/x4'],
  'final-cross-office': [],
};
const wanted = 5;

describe('a gateway that is killed while calls are under way', () => {
  let server: SimulatedServer;
  let run: WholeRun;
  let calls: CallRow[];
  let report: Report;
  let kills = 0;

  beforeAll(async () => {
    server = await startSimulatedServer('no-transfer', key, { delayMs: 250 });
    run = new WholeRun(serverEnvironment(server, key));
    await freezeOnServer(run, server, splits);
    await run.engine.up(() => {});
    await run.engine.start(run.lock);
    const killer = new Killer(run, 1, 0);
    const timer = setInterval(() => {
      const due = kills < wanted && server.seen.length >= 3 * (kills + 1);
      if (due && server.inFlight() > 0 && killer.kill('gateway')) kills += 1;
    }, 20);
    await run.complete();
    clearInterval(timer);
    calls = await run.calls();
    report = run.report();
    await run.engine.down({ now: false }, () => {});
  }, 300_000);

  afterAll(async () => {
    await run.remove();
    await server.close();
  });

  test('still ends with every task scored in its first sandbox', () => {
    expect(kills).toBe(wanted);
    expect(report).toMatchObject({ state: 'complete', unscored: [], findings: [] });
    const epochs = run.records().flatMap((record) => (record.kind === 'attempt' ? [record.epoch] : []));
    expect(new Set(epochs)).toEqual(new Set([1]));
  });

  test('has a row for every call that the provider billed, and charges no less than the bill', () => {
    const charged = calls.reduce((sum, row) => sum + (row.charged ?? 0), 0);
    expect(calls.length).toBeGreaterThanOrEqual(server.bill.calls);
    expect(charged).toBeGreaterThanOrEqual(server.bill.tokens);
  });

  test('passes its audit, and its numbers are derived again', async () => {
    expect(await run.faults()).toEqual([]);
  });

  test('charges more than the bill only for calls of unknown end, which the report lists', () => {
    const unknown = calls.filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeGreaterThanOrEqual(kills);
    const settled = calls.filter(({ state }) => state === 'settled');
    expect(settled.length + unknown.length).toBe(calls.length);
    const reserved = unknown.reduce((sum, row) => sum + (row.charged ?? 0), 0);
    const excess = calls.reduce((sum, row) => sum + (row.charged ?? 0), 0) - server.bill.tokens;
    expect(excess).toBeLessThanOrEqual(reserved);
    const told = report.resources.tokens ?? [];
    expect(told.reduce((sum, role) => sum + role.unknownRows, 0)).toBe(unknown.length);
    expect(told.reduce((sum, role) => sum + role.unknownCharged, 0)).toBe(reserved);
  });
});
