import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallRow } from '../../src/schema/call-row.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import type { Wire } from '../../src/schema/model-call.ts';
import type { Report } from '../../src/schema/report.ts';
import { FRONT_PATHS } from '../support/gateway-fixture.ts';
import { FAULTS } from '../support/provider-wires/faults.ts';
import type { Script } from '../support/provider-wires/faults.ts';
import { freezeOnServer, serverEnvironment } from '../support/server-experiment.ts';
import { type SimulatedServer, startSimulatedServer } from '../support/simulated-server.ts';
import { type Findings, WholeRun } from '../support/whole-run.ts';

const key = `sk-${'0123456789abcdef'.repeat(2)}`;

/** A task for each use is enough. */
const splits = {
  feedback: ['office-mini/x1'],
  selection: ['office-mini/x3'],
  'final-in-domain': ['office-mini/x4'],
  'final-cross-office': [],
};

const WIRES: readonly Wire[] = ['chat', 'responses', 'messages'];
const CALM = WIRES.flatMap((wire) =>
  [false, true].map((stream) => ({ name: `${wire}-${stream ? 'stream' : 'whole'}`, wire, stream, faults: false })),
);
const FAULTY = WIRES.map((wire) => ({ name: `${wire}-faults`, wire, stream: wire === 'responses', faults: true }));
type Variant = (typeof CALM)[number];

/** Every fault but another served model, which would rightly halt the run. */
const MET = Object.entries(FAULTS).flatMap(([name, fault]): Script[] =>
  name === 'another served model' ? [] : [fault],
);
/** Two faults, then an answer, until each fault was met; then nothing but answers. */
const profile = (count: number): Script =>
  (count % 3 === 0 ? undefined : MET[count - Math.floor(count / 3) - 1]) ?? { kind: 'answer' };

interface Ran {
  readonly variant: Variant;
  readonly server: SimulatedServer;
  readonly lock: ExperimentLock;
  readonly calls: readonly CallRow[];
  readonly report: Report;
  readonly findings: Findings;
}

let run: WholeRun;
let environments: Record<string, string>;
const ran = new Map<string, Ran>();
const servers = new Map<string, SimulatedServer>();

beforeAll(async () => {
  run = new WholeRun(serverEnvironment({ baseUrl: 'http://127.0.0.1:1/v1' }, key));
  const locks = new Map<Variant, ExperimentLock>();
  for (const variant of [...CALM, ...FAULTY]) {
    const { name, faults } = variant;
    const server = await startSimulatedServer('no-transfer', key, faults ? { profile } : {});
    servers.set(name, server);
    const options = { ...variant, baseUrl: server.baseUrl, timeoutSeconds: faults ? 1 : 60, thinking: true };
    locks.set(variant, await freezeOnServer(run, server, splits, options));
  }
  const services = await run.engine.up(() => {});
  environments = Object.fromEntries(
    services.map(({ name, pid }) => [name, readFileSync(`/proc/${pid}/environ`, 'utf8')]),
  );
  for (const lock of locks.values()) await run.engine.start(lock);
  for (const [variant, lock] of locks) {
    run.lock = lock;
    await run.complete();
    const server = servers.get(variant.name);
    if (server === undefined) throw new Error(variant.name);
    const calls = await run.calls();
    ran.set(variant.name, { variant, server, lock, calls, report: run.report(), findings: run.findings() });
  }
  await run.engine.down({ now: false }, () => {});
}, 600_000);

afterAll(async () => {
  await run.remove();
  for (const server of servers.values()) await server.close();
});

function of(name: string): Ran {
  const found = ran.get(name);
  if (found === undefined) throw new Error(`${name} did not run`);
  return found;
}

const sum = (figures: readonly (number | null)[]): number =>
  figures.reduce<number>((total, figure) => total + (figure ?? 0), 0);
const reported = (calls: readonly CallRow[]): number =>
  sum(calls.map((row) => row.reportedInput)) + sum(calls.map((row) => row.reportedOutput));

/** Commits and tags name the experiment; digests of revisions do not. */
function comparable({ scores, queries, revisions, champions }: Findings): Omit<Findings, 'id'> {
  const first = (lines: readonly string[], words: number): string[] =>
    lines.map((line) => line.split(' ').slice(0, words).join(' '));
  return { scores, queries, revisions: first(revisions, 3), champions: first(champions, 3) };
}

describe.each(CALM)('an experiment on a server that speaks $wire, stream: $stream', ({ name, wire, stream }) => {
  test('ends with a report that no simulated label marks, and covers every task', () => {
    const { report } = of(name);
    expect(report).toMatchObject({ state: 'complete', simulated: false, world: null, unscored: [], findings: [] });
    expect(report.arms[0]?.champions.find(({ claimed }) => claimed)?.selection.delta).toBeGreaterThan(0);
  });

  test('gives the same scores, revisions and champions as on any other wire', () => {
    const found = comparable(of(name).findings);
    expect(found.scores.length).toBeGreaterThanOrEqual(5);
    expect(found).toEqual(comparable(of('chat-whole').findings));
  });

  test('bills exactly what the server counted, of each kind of token', () => {
    const { calls, server, report } = of(name);
    expect({ calls: calls.length, tokens: reported(calls) }).toEqual(server.bill);
    expect({
      inputTokens: sum(calls.map((row) => row.reportedInput)),
      outputTokens: sum(calls.map((row) => row.reportedOutput)),
      cacheReadTokens: sum(calls.map((row) => row.cacheRead)),
      cacheWriteTokens: sum(calls.map((row) => row.cacheWrite)),
      reasoningTokens: sum(calls.map((row) => row.reasoning)),
    }).toEqual(server.billed);
    for (const kind of ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const)
      expect(server.billed[kind]).toBeGreaterThan(0);
    const served = report.served.flatMap((role) => role.served);
    expect(sum(served.map((model) => model.cacheRead ?? null))).toBe(server.billed.cacheReadTokens);
    expect(sum(served.map((model) => model.cacheWrite ?? null))).toBe(server.billed.cacheWriteTokens);
    expect(sum(served.map((model) => model.reasoning ?? null))).toBe(server.billed.reasoningTokens);
    expect(sum(calls.map((row) => row.charged))).toBe(server.bill.tokens);
    expect(sum((report.resources.tokens ?? []).map((role) => role.reported))).toBe(server.bill.tokens);
  });

  test('sends only what the documented API takes, and nothing that a harness made up', () => {
    const { server } = of(name);
    const fields = new Set(server.seen.flatMap(({ body }) => Object.keys(body)));
    expect([...fields].toSorted()).toEqual([...FIELDS[wire], ...(stream ? STREAM_FIELDS[wire] : [])].toSorted());
    expect(server.flaws).toEqual([]);
    expect(new Set(server.seen.map(({ path }) => path))).toEqual(new Set([FRONT_PATHS[wire]]));
    const caps = server.seen.map(({ body }) => body['max_tokens'] ?? body['max_output_tokens']);
    expect(new Set(caps)).toEqual(new Set([4096]));
  });

  test('asks as configured, and notes in every row how it asked and who served', () => {
    const { calls, server } = of(name);
    expect(new Set(server.seen.map(({ body }) => body['stream'] ?? false))).toEqual(new Set([stream]));
    expect(new Set(calls.map((row) => row.streamed))).toEqual(new Set([stream]));
    expect(new Set(calls.map((row) => row.servedModel))).toEqual(new Set(['solver-2026-01-01', 'updater-2026-01-01']));
  });
});

const FIELDS: Readonly<Record<Wire, readonly string[]>> = {
  chat: ['max_tokens', 'messages', 'model', 'n', 'reasoning_effort', 'response_format', 'seed', 'tools'],
  responses: ['include', 'input', 'instructions', 'max_output_tokens', 'model', 'reasoning', 'store', 'text', 'tools'],
  messages: ['max_tokens', 'messages', 'model', 'output_config', 'system', 'thinking', 'tools'],
};
const STREAM_FIELDS: Readonly<Record<Wire, readonly string[]>> = {
  chat: ['stream', 'stream_options'],
  responses: ['stream'],
  messages: ['stream'],
};

describe.each(FAULTY)('an experiment on a faulty server that speaks $wire, stream: $stream', ({ name }) => {
  test('meets every fault and still covers every task', () => {
    const { report, server } = of(name);
    expect(server.seen.length).toBeGreaterThan(1.5 * MET.length);
    expect(report).toMatchObject({ state: 'complete', unscored: [], findings: [] });
  });

  test('is charged no less than the server counted, and no more above it than its rows at their bound', () => {
    const { calls, server } = of(name);
    const excess = sum(calls.map((row) => row.charged)) - server.bill.tokens;
    const bounds = calls.filter((row) => row.basis === 'upperBound').map((row) => row.reserved);
    expect(bounds.length).toBeGreaterThan(5);
    expect(excess).toBeGreaterThanOrEqual(0);
    expect(excess).toBeLessThanOrEqual(sum(bounds));
    expect(calls.length).toBeGreaterThanOrEqual(server.bill.calls);
  });
});

test('the key is given to the gateway alone, and stands in no file of the data home', () => {
  for (const server of servers.values()) expect(server.refused()).toBe(0);
  const holders = Object.entries(environments).flatMap(([name, text]) => (text.includes(key) ? [name] : []));
  expect(holders).toEqual(['gateway']);
  const files = filesBelow(run.root);
  expect(files.filter((path) => readFileSync(path).includes(key))).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});

/** Regular files, without what links lead to. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && statSync(path).size < 200_000_000 ? [path] : [];
  });
}
