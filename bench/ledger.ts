import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../src/adapters/ledger.ts';
import { ExperimentRegistration } from '../src/schema/gateway.ts';
import { Sha256 } from '../src/schema/ids.ts';
import { LeaseRequest } from '../src/schema/lease.ts';
import type { BenchRow } from './gateway.ts';

const CALLS_PER_LEASE = 80;
const EXPERIMENT = 'exp_be4c0001';

/** Durable reserve + settle pairs per second on a fresh ledger (WAL, synchronous FULL), answers of 1 KB stored with them. */
export async function benchLedger(pairs = 8000): Promise<readonly BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ldb-'));
  const ledger = openLedger(join(directory, 'ledger.db'));
  try {
    ledger.registerExperiment(registration());
    const response = {
      id: 'r',
      servedModel: 'm',
      content: [{ type: 'text' as const, text: 'x'.repeat(1000) }],
      toolCalls: [],
      finishReason: 'stop' as const,
      usage: null,
    };
    const usage = { inputTokens: 900, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    const requestHash = Sha256.parse('c'.repeat(64));
    const started = performance.now();
    let lease = ledger.openLease(leaseRequest(0));
    for (let index = 0; index < pairs; index += 1) {
      const call = (index % CALLS_PER_LEASE) + 1;
      if (call === 1 && index > 0) lease = ledger.openLease(leaseRequest(index));
      const claim = { attemptKey: lease.attemptKey, epoch: 1, call, requestHash };
      const reserved = ledger.reserve({
        ...claim,
        promptTokens: 900,
        maxOutputTokens: 1000,
        minOutputTokens: 256,
        streamed: false,
      });
      if (reserved.kind !== 'reserved') throw new Error(`refused: ${reserved.kind}`);
      ledger.settle(
        { ...claim, retryIndex: reserved.retryIndex },
        { kind: 'answered', usage, servedModel: 'm', answer: { kind: 'answered', response }, fault: null },
      );
    }
    const seconds = (performance.now() - started) / 1000;
    return [
      {
        name: 'ledger: durable reserve + settle pairs',
        value: pairs / seconds,
        unit: '1/s',
        target: 2000,
        better: 'higher',
      },
    ];
  } finally {
    ledger.close();
    rmSync(directory, { recursive: true, force: true });
  }
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

function leaseRequest(index: number): LeaseRequest {
  const attemptKey = index.toString(16).padStart(64, '0');
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
