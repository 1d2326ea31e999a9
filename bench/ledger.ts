import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../src/adapters/ledger.ts';
import type { CallEnd, LeaseState, LedgerPort } from '../src/contract/ledger-port.ts';
import { ExperimentRegistration } from '../src/schema/gateway.ts';
import { Sha256 } from '../src/schema/ids.ts';
import { LeaseRequest } from '../src/schema/lease.ts';
import type { BenchRow } from './bench-row.ts';

const CALLS_PER_LEASE = 80;
const EXPERIMENT = 'exp_be4c0001';

/**
 * Durable reserve + settle pairs per second on a fresh ledger (WAL, synchronous FULL), answers of 1 KB stored with them:
 * one lane after the other's write, and eight lanes that share writes, as attempts do.
 */
export async function benchLedger(pairs = 8000): Promise<readonly BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ldb-'));
  const ledger = openLedger(join(directory, 'ledger.db'));
  try {
    ledger.registerExperiment(registration());
    await runLane(ledger, 'f', 400);
    const alone = await seconds(async () => runLane(ledger, 'a', pairs / 4));
    const together = await seconds(async () =>
      Promise.all(Array.from('12345678').map(async (lane) => runLane(ledger, lane, pairs / 8))),
    );
    return [
      row('ledger: durable reserve + settle pairs, one lane', pairs / 4 / alone, null),
      row('ledger: durable reserve + settle pairs, eight lanes', pairs / together, 2000),
    ];
  } finally {
    ledger.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runLane(ledger: LedgerPort, lane: string, pairs: number): Promise<void> {
  const usage = { inputTokens: 900, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const content = [{ type: 'text' as const, text: 'x'.repeat(1000) }];
  const response = { id: 'r', servedModel: 'm', content, toolCalls: [], finishReason: 'stop' as const, usage };
  const end: CallEnd = {
    kind: 'answered',
    usage,
    servedModel: 'm',
    answer: { kind: 'answered', response },
    fault: null,
  };
  const requestHash = Sha256.parse('c'.repeat(64));
  let lease: LeaseState | null = null;
  for (let index = 0; index < pairs; index += 1) {
    const call = (index % CALLS_PER_LEASE) + 1;
    if (lease === null || call === 1) lease = ledger.openLease(leaseRequest(`${lane}${index}`));
    const claim = { attemptKey: lease.attemptKey, epoch: 1, call, requestHash };
    const request = { ...claim, promptTokens: 900, maxOutputTokens: 1000, minOutputTokens: 256, streamed: false };
    const reserved = await ledger.shared(() => ledger.reserve(request));
    if (reserved.kind !== 'reserved') throw new Error(`refused: ${reserved.kind}`);
    await ledger.shared(() => ledger.settle({ ...claim, retryIndex: reserved.retryIndex }, end));
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function row(name: string, value: number, target: number | null): BenchRow {
  return { name, value, unit: '1/s', target, better: 'higher' };
}

function registration(): ExperimentRegistration {
  const budgets = { solver: 1_000_000_000, updater: null, judge: null };
  return ExperimentRegistration.parse({
    experimentId: EXPERIMENT,
    configDigest: 'b'.repeat(64),
    models: {},
    budgets,
    queries: 1,
  });
}

function leaseRequest(name: string): LeaseRequest {
  const attemptKey = name.padStart(64, '0');
  const limits = { calls: CALLS_PER_LEASE, tokens: 10_000_000 };
  return LeaseRequest.parse({
    experimentId: EXPERIMENT,
    arm: 'bench',
    role: 'solver',
    attemptKey,
    epoch: 1,
    limits,
    seed: 1,
  });
}
