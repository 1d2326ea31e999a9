import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'undici';
import { GatewayClient } from '../../src/adapters/gateway-client.ts';
import { readFaultProfile } from '../../src/adapters/fault-profile-file.ts';
import { openLedger } from '../../src/adapters/ledger.ts';
import { createProviderSource } from '../../src/adapters/providers/provider-source.ts';
import { createRedactor } from '../../src/adapters/redactor.ts';
import { readPolicyBook } from '../../src/adapters/policy-book.ts';
import { createTokenCounter } from '../../src/adapters/token-counter.ts';
import { readWorld } from '../../src/adapters/world-file.ts';
import type { LedgerPort } from '../../src/contract/ledger-port.ts';
import { createGateway } from '../../src/gateway/create-gateway.ts';
import type { Gateway } from '../../src/gateway/create-gateway.ts';
import { DEFAULT_GATEWAY_POLICY } from '../../src/gateway/gateway-policy.ts';
import type { GatewayPolicy } from '../../src/gateway/gateway-policy.ts';
import { ExperimentRegistration } from '../../src/schema/gateway.ts';
import { type Lease, LeaseRequest } from '../../src/schema/lease.ts';
import { ModelBinding } from '../../src/schema/model-binding.ts';
import type { Wire } from '../../src/schema/model-call.ts';
import { faultsDirectory, worldsDirectory } from '../../src/services/freeze/world-document.ts';
import { simulateTurn } from '../../src/simulated/simulate.ts';
import { memoryFolder } from './memory-folder.ts';

/** Short waits, so that tests of retries take milliseconds. */
const QUICK_POLICY: GatewayPolicy = {
  ...DEFAULT_GATEWAY_POLICY,
  backOffMs: 2,
  backOffCapMs: 8,
  retryAfterCapMs: 50,
  closeGraceMs: 100,
  stopGraceMs: 500,
  diskPauseMs: 20,
};

export function binding(baseUrl: string, changes: Partial<ModelBinding> = {}): ModelBinding {
  return ModelBinding.parse({
    provider: 'openai',
    wire: 'chat',
    baseUrl,
    model: 'office-1',
    sampling: { temperature: 0.2, maxOutputTokens: 1000 },
    keyVariable: null,
    timeoutMs: 400,
    servedModel: 'record',
    ...changes,
  });
}

export const EXPERIMENT = 'exp_0000000a';

export function registration(
  model: ModelBinding,
  changes: Partial<Record<keyof ExperimentRegistration, unknown>> = {},
): ExperimentRegistration {
  return ExperimentRegistration.parse({
    experimentId: EXPERIMENT,
    configDigest: 'a'.repeat(64),
    models: { solver: model, updater: model },
    budgets: { solver: null, updater: 1_000_000, judge: null },
    queries: 4,
    ...changes,
  });
}

/** `key` is repeated to 64 hex digits. */
export function leaseRequest(key: string, changes: Partial<Record<keyof LeaseRequest, unknown>> = {}): LeaseRequest {
  return LeaseRequest.parse({
    experimentId: EXPERIMENT,
    arm: 'ace',
    role: 'solver',
    attemptKey: key.repeat(64).slice(0, 64),
    epoch: 1,
    limits: { calls: 80, tokens: 2_000_000 },
    seed: 7,
    ...changes,
  });
}

export interface GatewayFixture {
  readonly directory: string;
  readonly gateway: Gateway;
  readonly ledger: LedgerPort;
  readonly control: GatewayClient;
  readonly logLines: readonly string[];
  readonly close: () => Promise<void>;
}

/** A gateway in this process, on a fresh ledger or on the one in `directory`. */
export async function startGateway(
  options: { policy?: Partial<GatewayPolicy>; directory?: string; environment?: Record<string, string> } = {},
): Promise<GatewayFixture> {
  const directory = options.directory ?? mkdtempSync(join(memoryFolder(), 'gw-'));
  const redactor = createRedactor();
  const logLines: string[] = [];
  const log = (fields: unknown, event: string): void =>
    void logLines.push(redactor.redact(JSON.stringify([event, fields])));
  const ledger = openLedger(join(directory, 'ledger.db'));
  const gateway = createGateway({
    ledger,
    providers: createProviderSource({
      environment: options.environment ?? {},
      redactor,
      simulatedModel: simulateTurn,
      loadWorld: (name) => readWorld(worldsDirectory, name),
      loadFaults: (name) => readFaultProfile(faultsDirectory, name),
      loadPolicies: readPolicyBook,
    }),
    counter: createTokenCounter(),
    policy: { ...QUICK_POLICY, ...options.policy },
    log: { info: log, warn: log, error: log },
    clock: Date.now,
    random: () => 0,
    socketBase: join(directory, 's'),
    controlSocket: join(directory, 'control.sock'),
    version: 'test',
  });
  await gateway.start();
  const control = new GatewayClient(join(directory, 'control.sock'));
  return {
    directory,
    gateway,
    ledger,
    control,
    logLines,
    close: async () => {
      await control.disconnect();
      await gateway.stop();
      ledger.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export const FRONT_PATHS: Readonly<Record<Wire, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
};

export interface FrontReply {
  readonly status: number;
  readonly text: string;
  /** The parsed body, null for a stream. */
  readonly body: Record<string, unknown> | null;
}

/** A client of one lease's socket, like the runner's: one connection, numbered calls. */
export class FrontClient {
  readonly #client: Client;
  readonly #token: string;

  constructor(lease: Pick<Lease, 'socketDirectory' | 'token'>) {
    this.#client = new Client('http://lease', { socketPath: join(lease.socketDirectory, 'gateway.sock') });
    this.#token = lease.token;
  }

  async post(
    call: number | null,
    body: unknown,
    headers: Record<string, string> = {},
    path: string = FRONT_PATHS.chat,
  ): Promise<FrontReply> {
    const reply = await this.#client.request({
      path,
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/json',
        ...(call === null ? {} : { 'x-anneal-call': String(call) }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await reply.body.text();
    const streamed = String(reply.headers['content-type']).startsWith('text/event-stream');
    return { status: reply.statusCode, text, body: streamed ? null : (JSON.parse(text) as Record<string, unknown>) };
  }

  async standing(): Promise<Record<string, unknown>> {
    const reply = await this.#client.request({
      path: '/v1/lease',
      method: 'GET',
      headers: { authorization: `Bearer ${this.#token}` },
    });
    return (await reply.body.json()) as Record<string, unknown>;
  }

  async close(): Promise<void> {
    await this.#client.destroy();
  }
}

/** The same question on any wire. */
export function askOn(wire: Wire, text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  switch (wire) {
    case 'chat':
      return ask(text, more);
    case 'responses':
      return { model: 'whatever', input: text, ...more };
    case 'messages':
      return { model: 'whatever', max_tokens: 9, messages: [{ role: 'user', content: text }], ...more };
  }
}

/** The provider that speaks a wire, for a binding. */
export function speaking(wire: Wire): Pick<ModelBinding, 'provider' | 'wire'> {
  return { provider: wire === 'messages' ? 'anthropic' : 'openai', wire };
}

export function ask(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'whatever', messages: [{ role: 'user', content: text }], ...more };
}
