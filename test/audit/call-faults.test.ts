import { describe, expect, test } from 'vitest';
import { callFaults } from '../../src/audit/call-faults.ts';
import { foreignPrices } from '../../src/audit/foreign-prices.ts';
import type { BookedCall } from '../../src/contract/ledger-reader.ts';
import type { CallRow } from '../../src/schema/call-row.ts';
import { ModelPrice } from '../../src/schema/prices.ts';
import { digestOf } from '../support/lock-builder.ts';

const rates = { input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000 };
const price = ModelPrice.parse({ kind: 'rates', rates, longPrompt: null, asOf: '2026-01-01', source: 'a list' });
const unknown = ModelPrice.parse({ kind: 'unknown', why: 'nobody wrote it down' });
const usage = {
  inputTokens: 1000,
  outputTokens: 100,
  cacheReadTokens: 600,
  cacheWriteTokens: 200,
  reasoningTokens: 40,
};
const response = { id: 'r', servedModel: 'm-1', content: [], toolCalls: [], finishReason: 'stop', usage };
const answered = JSON.stringify({ kind: 'answered', response });

/** 600 cached, 200 written, 200 plain tokens of input and 100 of output: 180 + 750 + 600 + 1500 millionths. */
const sound = {
  state: 'settled',
  basis: 'reported',
  reserved: 2100,
  outputCap: 500,
  charged: 1100,
  reportedInput: 1000,
  reportedOutput: 100,
  cacheRead: 600,
  cacheWrite: 200,
  reasoning: 40,
  reservedMicroUsd: 1600 * 3.75 + 500 * 15,
  chargedMicroUsd: 3030,
  servedModel: 'm-1',
  fault: null,
  responseSha256: digestOf('an answer'),
} as unknown as CallRow;
const silent = {
  reportedInput: null,
  reportedOutput: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
  servedModel: null,
  responseSha256: null,
} as const;
const booked = (row: Partial<CallRow>, answer: string | null = answered, at = price): BookedCall => ({
  row: { ...sound, ...row },
  price: at,
  answer,
});

describe('a request row', () => {
  test.each<[string, BookedCall]>([
    ['that reported its tokens costs them at its price', booked({})],
    [
      'that told no usage costs its bound',
      booked(
        {
          ...silent,
          servedModel: 'm-1',
          responseSha256: sound.responseSha256,
          basis: 'upperBound',
          charged: 2100,
          chargedMicroUsd: 13_500,
        },
        JSON.stringify({ kind: 'answered', response: { ...response, usage: null } }),
      ),
    ],
    [
      'of unknown end costs its bound',
      booked({ ...silent, state: 'unknown', basis: 'upperBound', charged: 2100, chargedMicroUsd: 13_500 }, null),
    ],
    [
      'that was rejected costs nothing',
      booked({ ...silent, state: 'rejected', basis: 'rejected', charged: 0, chargedMicroUsd: 0 }, null),
    ],
    [
      'in flight costs nothing yet',
      booked({ ...silent, state: 'reserved', basis: null, charged: null, chargedMicroUsd: null }, null),
    ],
    [
      'at a price that is not known tells no money',
      booked({ reservedMicroUsd: null, chargedMicroUsd: null }, answered, unknown),
    ],
    [
      'of a model that is not allowed has no answer, and says why',
      booked({ fault: 'infrastructure', responseSha256: null }, null),
    ],
  ])('%s', (_, call) => {
    expect(callFaults(call)).toEqual([]);
  });

  test.each<[string, BookedCall, RegExp]>([
    ['money by less than its price gives', booked({ chargedMicroUsd: 3029 }), /^chargedMicroUsd is 3029, .* 3030$/],
    [
      'an unknown end as free',
      booked({ ...silent, state: 'unknown', basis: 'upperBound', charged: 2100, chargedMicroUsd: 0 }, null),
      /^chargedMicroUsd is 0, .* 13500$/,
    ],
    [
      'a price that is not known as nothing',
      booked({ reservedMicroUsd: null, chargedMicroUsd: 0 }, answered, unknown),
      /^chargedMicroUsd is 0, .* null$/,
    ],
    ['a model that is not its answer’s', booked({ servedModel: 'm-2' }), /^servedModel is m-2, .* m-1$/],
    ['an answer that is not kept', booked({}, null), /^no answer of it is kept$/],
  ])('does not pass with %s', (_, call, told) => {
    expect(callFaults(call)).toEqual([expect.stringMatching(told)]);
  });
});

describe('prices of calls', () => {
  const call = (reservedAt: number, at: ModelPrice) => ({ role: 'solver' as const, reservedAt, price: at });
  const frozen = { operational: { prices: { solver: price } } } as unknown as Parameters<typeof foreignPrices>[0];

  test.each<[string, ReturnType<typeof call>[], number, number]>([
    ['are the frozen ones', [call(1, price), call(2, price)], 0, 0],
    ['may have been others before the frozen ones stood', [call(1, unknown), call(2, price)], 0, 1],
    ['are no others once the frozen ones stood', [call(1, price), call(2, unknown), call(3, price)], 1, 0],
    ['are not all others', [call(1, unknown), call(2, unknown)], 1, 0],
  ])('%s', (_, calls, faults, earlier) => {
    const found = foreignPrices(frozen, calls);
    expect([found.faults.length, found.earlier]).toEqual([faults, earlier]);
  });

  test('may be others throughout where the lock keeps those as earlier ones: a role may have had its last call by then', () => {
    const went = { operational: { ...frozen.operational, earlierPrices: { solver: [unknown] } } } as typeof frozen;
    const found = foreignPrices(went, [call(1, unknown), call(2, unknown)]);
    expect([found.faults, found.earlier]).toEqual([[], 2]);
  });
});
