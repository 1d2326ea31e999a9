import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import { GatewayClient } from '../src/adapters/gateway-client.ts';
import { ExperimentRegistration } from '../src/schema/gateway.ts';
import { LeaseRequest } from '../src/schema/lease.ts';
import type { Lease } from '../src/schema/lease.ts';
import type { BenchRow } from './bench-row.ts';

const CALLS_PER_LEASE = 80;
const CONNECTIONS = 8;
/** Calls before measuring, so that both sides run compiled code. */
const WARM_UP = 3200;
const EXPERIMENT = 'exp_be4c0000';

/**
 * What the gateway adds to a call of 5 KB, against the same instant provider called directly in the same run, alternating;
 * calls per second over 8 leases at once; and how much later the first streamed byte comes. Gateway, provider and client
 * are processes of their own. Takes about 20 s.
 */
export async function benchGateway(calls = 800): Promise<readonly BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gwb-'));
  const provider = startScript('./instant-provider', []);
  const control = join(directory, 'c', 'g.sock');
  const files = ['--ledger', join(directory, 'ledger.db'), '--sockets', join(directory, 's'), '--control', control];
  const gateway = startScript('../src/gateway/main', files);
  const client = new GatewayClient(control);
  try {
    const baseUrl = await firstLine(provider);
    await untilHealthy(client);
    await client.registerExperiment(registration(baseUrl));
    await Promise.all(lanes(async () => directLane(new URL(baseUrl).origin, WARM_UP / CONNECTIONS)));
    await Promise.all(lanes(async (lane) => gatewayLane(client, lane, WARM_UP / CONNECTIONS)));
    const direct = new Client(new URL(baseUrl).origin);
    const alone = await alternate(client, direct, calls);
    const streamed = await firstBytes(client, direct, Math.min(calls, CALLS_PER_LEASE));
    const directRate = await rate(async () => directLane(new URL(baseUrl).origin, calls / CONNECTIONS));
    const gatewayRate = await rate(async (lane) => gatewayLane(client, lane, calls / CONNECTIONS));
    await direct.destroy();
    return [
      row('gateway: direct call, p50', quantile(alone.direct, 0.5), 'ms', null),
      row('gateway: added to a call, p50', quantile(alone.gateway, 0.5) - quantile(alone.direct, 0.5), 'ms', 1.5),
      row('gateway: added to a call, p99', quantile(alone.gateway, 0.99) - quantile(alone.direct, 0.99), 'ms', 10),
      row(
        'gateway: first streamed byte later, p50',
        quantile(streamed.gateway, 0.5) - quantile(streamed.direct, 0.5),
        'ms',
        5,
      ),
      {
        ...row(
          'gateway: direct calls over 8 connections',
          (CONNECTIONS * Math.floor(calls / CONNECTIONS)) / directRate,
          '1/s',
          null,
        ),
        better: 'higher',
      },
      {
        ...row(
          'gateway: calls over 8 connections',
          (CONNECTIONS * Math.floor(calls / CONNECTIONS)) / gatewayRate,
          '1/s',
          500,
        ),
        better: 'higher',
      },
    ];
  } finally {
    await client.disconnect();
    for (const child of [gateway, provider]) await end(child);
    rmSync(directory, { recursive: true, force: true });
  }
}

function row(name: string, value: number, unit: string, target: number | null): BenchRow {
  return { name, value, unit, target, better: 'lower' };
}

async function alternate(
  control: GatewayClient,
  direct: Client,
  calls: number,
): Promise<{ direct: number[]; gateway: number[] }> {
  const times = { direct: [] as number[], gateway: [] as number[] };
  let front: Front | null = null;
  for (let index = 0; index < calls; index += 1) {
    const call = (index % CALLS_PER_LEASE) + 1;
    if (call === 1) front = await Front.next(control, front);
    const body = prompt(call, false);
    const directMs = await timed(async () => post(direct, body, {}));
    const gatewayMs = await timed(async () => front?.post(call, body));
    times.direct.push(directMs);
    times.gateway.push(gatewayMs);
  }
  await front?.close();
  return times;
}

async function firstBytes(
  control: GatewayClient,
  direct: Client,
  calls: number,
): Promise<{ direct: number[]; gateway: number[] }> {
  const times = { direct: [] as number[], gateway: [] as number[] };
  const front = await Front.next(control, null);
  for (let call = 1; call <= calls; call += 1) {
    const body = prompt(call, true);
    times.direct.push(await firstByte(direct, body, {}));
    times.gateway.push(await firstByte(front.client, body, front.headers(call)));
  }
  await front.close();
  return times;
}

function lanes<Result>(run: (lane: number) => Promise<Result>): Promise<Result>[] {
  return Array.from({ length: CONNECTIONS }, async (_, lane) => run(lane));
}

async function rate(run: (lane: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  await Promise.all(lanes(run));
  return (performance.now() - started) / 1000;
}

async function directLane(origin: string, calls: number): Promise<void> {
  const client = new Client(origin);
  for (let call = 1; call <= calls; call += 1) await post(client, prompt(call, false), {});
  await client.destroy();
}

async function gatewayLane(control: GatewayClient, lane: number, calls: number): Promise<void> {
  let front: Front | null = null;
  for (let index = 0; index < Math.floor(calls); index += 1) {
    const call = (index % CALLS_PER_LEASE) + 1;
    if (call === 1) front = await Front.next(control, front, lane);
    await front?.post(call, prompt(call, false));
  }
  await front?.close();
}

let opened = 0;

/** A lease and the one connection of its client. */
class Front {
  readonly client: Client;
  readonly #lease: Lease;
  readonly #control: GatewayClient;

  private constructor(lease: Lease, control: GatewayClient) {
    this.#lease = lease;
    this.#control = control;
    this.client = new Client('http://lease', { socketPath: join(lease.socketDirectory, 'gateway.sock') });
  }

  static async next(control: GatewayClient, last: Front | null, lane = 0): Promise<Front> {
    await last?.close();
    opened += 1;
    const attemptKey = `${opened.toString(16)}f${lane.toString(16)}`.padStart(64, '0');
    const limits = { calls: CALLS_PER_LEASE, tokens: 10_000_000 };
    const request = { experimentId: EXPERIMENT, arm: 'bench', role: 'solver', attemptKey, epoch: 1, limits, seed: 1 };
    return new Front(await control.openLease(LeaseRequest.parse(request)), control);
  }

  headers(call: number): Record<string, string> {
    return { authorization: `Bearer ${this.#lease.token}`, 'x-anneal-call': String(call) };
  }

  async post(call: number, body: string): Promise<void> {
    await post(this.client, body, this.headers(call));
  }

  async close(): Promise<void> {
    await this.client.destroy();
    await this.#control.closeLease(this.#lease);
  }
}

async function post(client: Client, body: string, headers: Record<string, string>): Promise<void> {
  const reply = await client.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(text);
}

async function firstByte(client: Client, body: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now();
  let first = 0;
  const reply = await client.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  for await (const _ of reply.body) first ||= performance.now() - started;
  return first;
}

/** A conversation of about 5 KB; only its last message differs from call to call. */
function prompt(call: number, stream: boolean): string {
  const paragraph = 'Open the workbook, read the sheet of March, and compare each total with the ledger. ';
  const messages = Array.from({ length: 10 }, (_, index) => ({
    role: index === 0 ? 'system' : index % 2 === 0 ? 'assistant' : 'user',
    content: `${paragraph.repeat(6)} step ${index === 9 ? call : index}`,
  }));
  return JSON.stringify({ model: 'any', messages, ...(stream ? { stream: true } : {}) });
}

function registration(baseUrl: string): ExperimentRegistration {
  const solver = {
    provider: 'openai',
    wire: 'chat',
    baseUrl,
    model: 'instant',
    sampling: { maxOutputTokens: 1000 },
    keyVariable: null,
    timeoutMs: 10_000,
    servedModel: 'record',
  };
  const budgets = { solver: null, updater: null, judge: null };
  return ExperimentRegistration.parse({
    experimentId: EXPERIMENT,
    configDigest: 'b'.repeat(64),
    models: { solver },
    budgets,
    queries: 1,
  });
}

/** Starts a sibling module as a process, from sources or as built. */
function startScript(relative: string, parameters: readonly string[]): ChildProcess {
  const source = import.meta.url.endsWith('.ts');
  const path = fileURLToPath(new URL(`${relative}${source ? '.ts' : '.js'}`, import.meta.url));
  return spawn(process.execPath, [...(source ? ['--import', 'tsx'] : []), path, ...parameters], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the child ended before it was ready');
}

async function untilHealthy(client: GatewayClient): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await client.health({});
      return;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
