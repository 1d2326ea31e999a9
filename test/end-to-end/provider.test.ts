import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallRow } from '../../src/schema/call-row.ts';
import type { Report } from '../../src/schema/report.ts';
import { freezeOnServer, serverEnvironment } from '../support/server-experiment.ts';
import { type SimulatedServer, startSimulatedServer } from '../support/simulated-server.ts';
import { WholeRun, reducedSplits } from '../support/whole-run.ts';

const key = `sk-${'0123456789abcdef'.repeat(2)}`;

/** Models chosen by base URL and key variable alone; a task of each kind is enough. */
const splits = { ...reducedSplits, 'final-in-domain': ['office-mini/x4'], 'final-cross-office': [] };

describe.each([
  { how: 'whole replies', stream: false },
  { how: 'streams', stream: true },
])('an experiment on an OpenAI-compatible server of another port, by $how', ({ stream }) => {
  let server: SimulatedServer;
  let run: WholeRun;
  let calls: CallRow[];
  let report: Report;
  let environments: Record<string, string>;

  beforeAll(async () => {
    server = await startSimulatedServer('no-transfer', key);
    run = new WholeRun(serverEnvironment(server, key));
    await freezeOnServer(run, server, splits, stream);
    const services = await run.engine.up(() => {});
    environments = Object.fromEntries(
      services.map(({ name, pid }) => [name, readFileSync(`/proc/${pid}/environ`, 'utf8')]),
    );
    await run.engine.start(run.lock);
    await run.complete();
    calls = await run.calls();
    report = run.report();
    await run.engine.down({ now: false }, () => {});
  }, 300_000);

  afterAll(async () => {
    await run.remove();
    await server.close();
  });

  test('ends with a report that no simulated label marks, and covers every task', () => {
    expect(report).toMatchObject({ state: 'complete', simulated: false, world: null, unscored: [], findings: [] });
    expect(report.arms[0]?.champions.find(({ claimed }) => claimed)?.selection.delta).toBeGreaterThan(0);
  });

  test('bills exactly what the server counted', () => {
    const reported = calls.reduce((sum, row) => sum + (row.reportedInput ?? 0) + (row.reportedOutput ?? 0), 0);
    const charged = calls.reduce((sum, row) => sum + (row.charged ?? 0), 0);
    expect({ calls: calls.length, tokens: reported }).toEqual(server.bill);
    expect(charged).toBe(reported);
    const totals = report.resources.tokens ?? [];
    expect(totals.reduce((sum, { reported: tokens }) => sum + tokens, 0)).toBe(server.bill.tokens);
  });

  test('sends the pinned model and sampling and nothing that a harness made up', () => {
    const fields = new Set(server.bodies.flatMap((body) => Object.keys(body)));
    expect([...fields].toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'n',
      'response_format',
      'seed',
      ...(stream ? ['stream', 'stream_options'] : []),
      'tools',
    ]);
    expect(new Set(server.bodies.map((body) => body['model']))).toEqual(new Set(['solver', 'updater']));
    expect(new Set(server.bodies.map((body) => body['max_tokens']))).toEqual(new Set([4096]));
  });

  test('asks as configured and notes in every row how it asked', () => {
    expect(new Set(server.bodies.map((body) => body['stream'] ?? false))).toEqual(new Set([stream]));
    expect(new Set(calls.map((row) => row.streamed))).toEqual(new Set([stream]));
  });

  test('records the model that the server says it served', () => {
    expect(new Set(calls.map((row) => row.servedModel))).toEqual(new Set(['solver-2026-01-01', 'updater-2026-01-01']));
  });

  test('gives the key to the gateway alone', () => {
    expect(server.refused()).toBe(0);
    const holders = Object.entries(environments).flatMap(([name, text]) => (text.includes(key) ? [name] : []));
    expect(holders).toEqual(['gateway']);
  });

  test('leaves the key in no file of the data home', () => {
    const found = filesBelow(run.root).filter((path) => readFileSync(path).includes(key));
    expect(found).toEqual([]);
    expect(filesBelow(run.root).length).toBeGreaterThan(50);
  });
});

/** Regular files, without what links lead to. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && statSync(path).size < 200_000_000 ? [path] : [];
  });
}
