import { describe, expect, it } from 'vitest';
import { chargeFor, reserve, upperBound } from '../../src/domain/metering.ts';
import type { ModelResponse, Usage } from '../../src/schema/model-call.ts';

function answered(usage: Usage | null): { kind: 'answered'; response: ModelResponse } {
  return {
    kind: 'answered',
    response: { id: 'r', servedModel: 'm', content: [], toolCalls: [], finishReason: 'stop', usage },
  };
}

describe('upperBound', () => {
  it.each([
    [0, 4096, 4096],
    [10, 0, 11],
    [11, 0, 13],
    [1, 100, 102],
    [100_000, 4096, 114_096],
  ])('of %i prompt tokens and %i of output is %i', (prompt, output, bound) => {
    expect(upperBound(prompt, output)).toBe(bound);
  });
});

describe('chargeFor', () => {
  it('takes the provider at its word', () => {
    const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 90, cacheWriteTokens: 0, reasoningTokens: 15 };
    expect(chargeFor(answered(usage), 5000)).toEqual({ basis: 'reported', reported: 120, charged: 120 });
  });

  it('charges the whole reservation when usage is missing, and reports none instead of 0', () => {
    expect(chargeFor(answered(null), 5000)).toEqual({ basis: 'upperBound', reported: null, charged: 5000 });
  });

  it('charges nothing for a complete rejection', () => {
    const rejected = {
      kind: 'rejected',
      fault: 'infrastructure',
      code: '429',
      retryable: true,
      retryAfterMs: null,
      detail: '',
    } as const;
    expect(chargeFor(rejected, 5000)).toEqual({ basis: 'rejected', reported: null, charged: 0 });
  });

  it('charges a call whose end is unknown in full', () => {
    const unknown = { kind: 'unknown', fault: 'infrastructure', code: 'timeout', retryable: true, detail: '' } as const;
    expect(chargeFor(unknown, 5000)).toEqual({ basis: 'upperBound', reported: null, charged: 5000 });
  });
});

describe('reserve', () => {
  it.each([
    [1000, 400, 600, { kind: 'reserve', tokens: 600 }],
    [1000, 400, 601, { kind: 'refuse', needed: 601, left: 600 }],
    [1000, 1200, 1, { kind: 'refuse', needed: 1, left: 0 }],
  ])('with a limit of %i and %i taken, %i gives %o', (limit, taken, needed, expected) => {
    expect(reserve(limit, taken, needed)).toEqual(expected);
  });
});
