import { join } from 'node:path';
import { Client } from 'undici';
import type { GatewayClient } from '../src/adapters/gateway-client.ts';
import { ExperimentRegistration } from '../src/schema/gateway.ts';
import { LeaseRequest, type Lease } from '../src/schema/lease.ts';
import type { CallLane, CallTarget } from './call-target.ts';

const CALLS_PER_LEASE = 80;
const EXPERIMENT = 'exp_be4c0000';

/** Our gateway, as an attempt meets it: a lease of 80 numbered calls on its own socket, then the next lease. */
export async function gatewayTarget(control: GatewayClient, baseUrl: string): Promise<CallTarget> {
  await control.registerExperiment(registration(baseUrl));
  let opened = 0;
  const open = async (): Promise<{ lease: Lease; client: Client }> => {
    opened += 1;
    const attemptKey = opened.toString(16).padStart(64, '0');
    const limits = { calls: CALLS_PER_LEASE, tokens: 10_000_000 };
    const request = { experimentId: EXPERIMENT, arm: 'bench', role: 'solver', attemptKey, epoch: 1, limits, seed: 1 };
    const lease = await control.openLease(LeaseRequest.parse(request));
    return { lease, client: new Client('http://lease', { socketPath: join(lease.socketDirectory, 'gateway.sock') }) };
  };
  const lane = async (): Promise<CallLane> => {
    let front = await open();
    let used = 0;
    const close = async (): Promise<void> => {
      await front.client.destroy();
      await control.closeLease(front.lease);
    };
    return {
      next: async () => {
        if (used === CALLS_PER_LEASE) {
          await close();
          front = await open();
          used = 0;
        }
        used += 1;
        const headers = { authorization: `Bearer ${front.lease.token}`, 'x-anneal-call': String(used) };
        return { client: front.client, path: '/v1/chat/completions', headers };
      },
      close,
    };
  };
  return { name: 'anneal', lane };
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
  return ExperimentRegistration.parse({
    experimentId: EXPERIMENT,
    configDigest: 'b'.repeat(64),
    models: { solver },
    budgets: { solver: null, updater: null, judge: null },
    queries: 1,
  });
}
