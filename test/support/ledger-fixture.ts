import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../src/adapters/ledger.ts';
import type { CallEnd, CallClaim, LedgerPort, ReservationRequest } from '../../src/contract/ledger-port.ts';
import { Sha256 } from '../../src/schema/ids.ts';
import type { AttemptKey } from '../../src/schema/ids.ts';
import { binding, leaseRequest, registration } from './gateway-fixture.ts';
import { memoryFolder } from './memory-folder.ts';

export interface LedgerFixture {
  readonly path: string;
  readonly clock: { now: number };
  ledger: LedgerPort;
  /** Closes the database as a killed process would: nothing is settled. */
  readonly reopen: () => LedgerPort;
  readonly close: () => void;
}

/** A fresh ledger file with one registered experiment; its clock stands still unless moved. */
export function openLedgerFixture(changes: Parameters<typeof registration>[1] = {}): LedgerFixture {
  const directory = mkdtempSync(join(memoryFolder(), 'ledger-'));
  const path = join(directory, 'ledger.db');
  const clock = { now: 1_000_000 };
  const open = (): LedgerPort => openLedger(path, () => clock.now);
  const fixture = {
    path,
    clock,
    ledger: open(),
    reopen: () => {
      fixture.ledger.close();
      fixture.ledger = open();
      return fixture.ledger;
    },
    close: () => {
      fixture.ledger.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  fixture.ledger.registerExperiment(registration(binding('http://127.0.0.1:9/v1'), changes));
  return fixture;
}

export const HASH = Sha256.parse('1'.repeat(64));
export const OTHER_HASH = Sha256.parse('2'.repeat(64));

export function attemptKey(key: string): AttemptKey {
  return leaseRequest(key).attemptKey;
}

export function claim(key: string, call: number, changes: Partial<CallClaim> = {}): CallClaim {
  return { attemptKey: attemptKey(key), epoch: 1, call, requestHash: HASH, ...changes };
}

export function reservation(call: CallClaim, changes: Partial<ReservationRequest> = {}): ReservationRequest {
  return { ...call, promptTokens: 100, maxOutputTokens: 1000, minOutputTokens: 256, streamed: false, ...changes };
}

export function answered(inputTokens: number, outputTokens: number, text = 'done'): CallEnd {
  const usage = { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const response = {
    id: 'r',
    servedModel: 'office-1',
    content: [{ type: 'text' as const, text }],
    toolCalls: [],
    finishReason: 'stop' as const,
    usage,
  };
  return { kind: 'answered', usage, servedModel: 'office-1', answer: { kind: 'answered', response }, fault: null };
}

/** Reserves and settles one call; returns the charge. */
export function spend(ledger: LedgerPort, call: CallClaim, end: CallEnd = answered(90, 10)): number {
  const reserved = ledger.reserve(reservation(call));
  if (reserved.kind !== 'reserved') throw new Error(`refused: ${JSON.stringify(reserved)}`);
  return ledger.settle({ ...call, retryIndex: reserved.retryIndex }, end);
}
