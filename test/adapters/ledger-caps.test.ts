import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallEnd, LedgerPort, ReservationResult } from '../../src/contract/ledger-port.ts';
import type { CapUsage } from '../../src/schema/gateway.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import type { ModelPrice } from '../../src/schema/prices.ts';
import { EXPERIMENT, binding, leaseRequest, registration } from '../support/gateway-fixture.ts';
import { type LedgerFixture, answered, claim, openLedgerFixture, reservation } from '../support/ledger-fixture.ts';

const id = ExperimentId.parse(EXPERIMENT);
/** A dollar per million tokens: a token is a millionth of a dollar. */
const even: ModelPrice = {
  kind: 'rates',
  rates: { input: 1_000_000, output: 1_000_000, cacheRead: 100_000, cacheWrite: 1_000_000 },
  longPrompt: null,
  asOf: '2026-11-01',
  source: 'a price list',
};
const unknown: ModelPrice = { kind: 'unknown', why: 'nobody lists it' };
/** Every request of these tests reserves 110 prompt tokens and 1,000 of output. */
const each = 1110;

let opened: LedgerFixture[] = [];
afterEach(() => {
  for (const fixture of opened) fixture.close();
  opened = [];
});

function capped(
  caps: { solverTokens: number | null; microUsd: number | null },
  prices: Partial<Record<'solver' | 'updater', ModelPrice>> = { solver: even, updater: even },
): LedgerPort {
  const fixture = openLedgerFixture({ caps, prices });
  opened.push(fixture);
  return fixture.ledger;
}

function lease(ledger: LedgerPort, key: string, changes: Parameters<typeof leaseRequest>[1] = {}): void {
  ledger.openLease(leaseRequest(key, changes));
}

function reserve(ledger: LedgerPort, key: string, call = 1): ReservationResult {
  return ledger.reserve(reservation(claim(key, call)));
}

function cap(ledger: LedgerPort, kind: CapUsage['kind']): CapUsage | undefined {
  return ledger.usage(id).caps.find((row) => row.kind === kind);
}

const lost: CallEnd = { kind: 'unknown', fault: 'infrastructure', code: 'stream_cut', detail: '' };

describe('a cap on money', () => {
  it('counts every role and arm', () => {
    const ledger = capped({ solverTokens: null, microUsd: 2 * each });
    lease(ledger, 'a');
    lease(ledger, 'b', { role: 'updater', arm: 'other' });
    lease(ledger, 'c', { arm: 'third' });
    expect(reserve(ledger, 'a').kind).toBe('reserved');
    expect(reserve(ledger, 'b').kind).toBe('reserved');
    expect(reserve(ledger, 'c')).toMatchObject({ kind: 'refused', limit: 'money', used: 2 * each, needed: each });
  });

  it('tells what only waits for neighbours from what has no room', () => {
    const ledger = capped({ solverTokens: null, microUsd: each + 200 });
    lease(ledger, 'a');
    lease(ledger, 'b');
    reserve(ledger, 'a');
    expect(reserve(ledger, 'b')).toMatchObject({ kind: 'refused', waits: true });
    expect(ledger.leaseUsage(claim('b', 1)).limitHit).toBeNull();
    ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(200, 50));
    expect(reserve(ledger, 'b')).toMatchObject({ kind: 'refused', waits: false, used: 250, allowed: each + 200 });
    expect(ledger.leaseUsage(claim('b', 1)).limitHit).toBe('budget');
  });

  it('is charged what cached tokens cost', () => {
    const ledger = capped({ solverTokens: null, microUsd: 100_000 });
    lease(ledger, 'a');
    reserve(ledger, 'a');
    const end = answered(1000, 10);
    if (end.kind !== 'answered' || end.usage === null) throw new Error('a usage is needed');
    ledger.settle({ ...claim('a', 1), retryIndex: 0 }, { ...end, usage: { ...end.usage, cacheReadTokens: 900 } });
    expect(cap(ledger, 'money')).toMatchObject({ used: 100 + 90 + 10, reserved: 0 });
    expect(ledger.leaseUsage(claim('a', 1)).microUsdCharged).toBe(200);
  });

  it.each([
    [
      'nothing for a rejected request',
      { kind: 'rejected', fault: 'infrastructure', code: '429', detail: '', answer: null },
      0,
    ],
    ['the reservation for one whose end is unknown', lost, each],
  ] as const)('is charged %s', (_, end, used) => {
    const ledger = capped({ solverTokens: null, microUsd: 100_000 });
    lease(ledger, 'a');
    reserve(ledger, 'a');
    ledger.settle({ ...claim('a', 1), retryIndex: 0 }, end);
    expect(cap(ledger, 'money')).toMatchObject({ used, reserved: 0 });
  });

  it('sends nothing to a model whose price is not known', () => {
    const ledger = capped({ solverTokens: null, microUsd: 100_000 }, { solver: even, updater: unknown });
    lease(ledger, 'a', { role: 'updater' });
    expect(reserve(ledger, 'a')).toMatchObject({
      kind: 'halted',
      halt: { reason: expect.stringContaining('nobody lists it') },
    });
  });

  it('does not mind a model that costs nothing', () => {
    const ledger = capped({ solverTokens: null, microUsd: 1 }, { solver: { kind: 'free', why: 'simulated' } });
    lease(ledger, 'a');
    expect(reserve(ledger, 'a').kind).toBe('reserved');
  });
});

describe('prices', () => {
  it('that change leave rows in flight at the price they were reserved at', () => {
    const ledger = capped({ solverTokens: null, microUsd: 100_000 });
    lease(ledger, 'a');
    reserve(ledger, 'a');
    const dear = { ...even, rates: { ...even.rates, output: 50_000_000 } };
    ledger.registerExperiment(registration(binding('http://127.0.0.1:9/v1'), { prices: { solver: dear } }));
    ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(100, 100));
    expect(cap(ledger, 'money')?.used).toBe(200);
    reserve(ledger, 'a', 2);
    ledger.settle({ ...claim('a', 2), retryIndex: 0 }, answered(100, 100));
    expect(cap(ledger, 'money')?.used).toBe(200 + 100 + 5000);
  });

  it('that are not known leave rows that are counted, never rows of zero', () => {
    const ledger = capped({ solverTokens: null, microUsd: null }, { solver: unknown });
    lease(ledger, 'a');
    reserve(ledger, 'a');
    ledger.settle({ ...claim('a', 1), retryIndex: 0 }, answered(100, 100));
    expect(ledger.usage(id).roles).toMatchObject([{ role: 'solver', microUsd: 0, unpricedRows: 1 }]);
    expect(ledger.leaseUsage(claim('a', 1))).not.toHaveProperty('microUsdCharged');
    expect(ledger.listCalls(id, null, 10)).toMatchObject([{ reservedMicroUsd: null, chargedMicroUsd: null }]);
  });
});

describe('a cap on solver tokens', () => {
  it('counts the solver of every arm and nobody else', () => {
    const ledger = capped({ solverTokens: 2 * each, microUsd: null }, {});
    for (const [key, arm] of ['one', 'two', 'three'].entries()) lease(ledger, String(key), { arm });
    lease(ledger, 'a', { role: 'updater' });
    expect(reserve(ledger, 'a').kind).toBe('reserved');
    expect(['0', '1', '2'].map((key) => reserve(ledger, key).kind)).toEqual(['reserved', 'reserved', 'refused']);
  });
});

describe('what is held', () => {
  it('is left by a search and spent by the final test', () => {
    const ledger = capped({ solverTokens: null, microUsd: 3 * each });
    ledger.holdShare({ experimentId: id, solverTokens: null, microUsd: 2 * each });
    lease(ledger, 'a');
    lease(ledger, 'b');
    lease(ledger, 'f', { share: 'final' });
    expect(reserve(ledger, 'a').kind).toBe('reserved');
    expect(reserve(ledger, 'b')).toMatchObject({ kind: 'refused', limit: 'money', allowed: each });
    expect(reserve(ledger, 'f').kind).toBe('reserved');
    expect(cap(ledger, 'money')).toMatchObject({ held: 2 * each, left: 0 });
  });

  it('is at most what is left', () => {
    const ledger = capped({ solverTokens: null, microUsd: 2 * each });
    lease(ledger, 'a');
    reserve(ledger, 'a');
    const caps = ledger.holdShare({ experimentId: id, solverTokens: null, microUsd: 10 * each });
    expect(caps).toMatchObject([{ kind: 'money', held: each, reserved: each }]);
  });

  it('survives a kill of its owner', () => {
    const fixture = openLedgerFixture({ caps: { solverTokens: 5000, microUsd: null } });
    opened.push(fixture);
    fixture.ledger.holdShare({ experimentId: id, solverTokens: 4000, microUsd: null });
    expect(fixture.reopen().usage(id).caps).toMatchObject([{ kind: 'solver-tokens', limit: 5000, held: 4000 }]);
  });
});

/** One step of an interleaving over a few leases. */
type Step =
  | { readonly kind: 'reserve'; readonly key: number; readonly prompt: number; readonly output: number }
  | { readonly kind: 'settle'; readonly pick: number; readonly share: number }
  | { readonly kind: 'lose'; readonly pick: number }
  | { readonly kind: 'reject'; readonly pick: number }
  | { readonly kind: 'hold'; readonly amount: number }
  | { readonly kind: 'restart' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('reserve' as const),
        key: fc.nat(5),
        prompt: fc.nat(2000),
        output: fc.integer({ min: 256, max: 2000 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        pick: fc.nat(9),
        share: fc.float({ min: 0, max: 1, noNaN: true }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.oneof(
        fc.record({ kind: fc.constant('lose' as const), pick: fc.nat(9) }),
        fc.record({ kind: fc.constant('reject' as const), pick: fc.nat(9) }),
      ),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold' as const), amount: fc.nat(8000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { maxLength: 40 },
);

describe('no interleaving of reservations and ends', () => {
  it('brings the experiment above a cap, or a search into what was held when it asked', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 500, max: 10_000 }), (interleaving, limit) => {
        const fixture = openLedgerFixture({ caps: { solverTokens: limit, microUsd: limit }, prices: { solver: even } });
        try {
          expect(follow(fixture, interleaving, limit)).toEqual([]);
        } finally {
          fixture.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** What did not hold. Leases 0 to 3 search, 4 and 5 are of the final test. */
function follow(fixture: LedgerFixture, interleaving: readonly Step[], limit: number): string[] {
  const broken: string[] = [];
  for (let key = 0; key < 6; key += 1) lease(fixture.ledger, String(key), { share: key < 4 ? 'search' : 'final' });
  const calls = [0, 0, 0, 0, 0, 0];
  let open: { key: number; call: number; retryIndex: number; prompt: number; output: number }[] = [];
  for (const step of interleaving) {
    const { ledger } = fixture;
    switch (step.kind) {
      case 'reserve': {
        const call = (calls[step.key] ?? 0) + 1;
        const asked = { promptTokens: step.prompt, maxOutputTokens: step.output };
        const result = ledger.reserve(reservation(claim(String(step.key), call), asked));
        if (result.kind !== 'reserved') break;
        calls[step.key] = call;
        open.push({
          key: step.key,
          call,
          retryIndex: result.retryIndex,
          prompt: step.prompt,
          output: result.outputCap,
        });
        const standing = ledger.usage(id).caps;
        for (const { kind, used, reserved, held } of standing)
          if (used + reserved > (step.key < 4 ? limit - held : limit))
            broken.push(`${kind} admitted past what is allowed`);
        break;
      }
      case 'settle':
      case 'lose':
      case 'reject': {
        const [ended] = open.splice(step.pick % Math.max(1, open.length), 1);
        if (ended === undefined) break;
        const key = { ...claim(String(ended.key), ended.call), retryIndex: ended.retryIndex };
        ledger.settle(key, endOf(step, ended));
        break;
      }
      case 'hold':
        ledger.holdShare({ experimentId: id, solverTokens: step.amount, microUsd: step.amount });
        break;
      case 'restart':
        fixture.reopen().reconcile();
        open = [];
        break;
    }
    for (const { kind, used, reserved, held, left } of fixture.ledger.usage(id).caps) {
      if (used + reserved > limit) broken.push(`${kind} above its cap`);
      if (left !== Math.max(0, limit - used - reserved - held)) broken.push(`${kind} left ${left}`);
    }
    broken.push(...fixture.ledger.audit(id).mismatches);
  }
  return broken;
}

function endOf(step: Extract<Step, { pick: number }>, { prompt, output }: { prompt: number; output: number }): CallEnd {
  if (step.kind === 'lose') return lost;
  if (step.kind === 'reject')
    return { kind: 'rejected', fault: 'infrastructure', code: '429', detail: '', answer: null };
  return answered(Math.floor(prompt * step.share), Math.floor(output * step.share));
}
