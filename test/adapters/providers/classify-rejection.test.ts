import { expect, it } from 'vitest';
import { classifyRejection, retryAfterMs } from '../../../src/adapters/providers/classify-rejection.ts';

it.each([
  [400, '', 'bad field', 'agent', 'invalid_request', false],
  [400, 'context_length_exceeded', '', 'agent', 'context_overflow', false],
  [400, '', "This model's maximum context length is 8192 tokens", 'agent', 'context_overflow', false],
  [400, 'content_filter', '', 'agent', 'refusal', false],
  [413, '', '', 'agent', 'context_overflow', false],
  [422, '', 'unknown field', 'agent', 'invalid_request', false],
  [
    400,
    'invalid_request_error',
    'prompt is too long: 208310 tokens > 200000 maximum',
    'agent',
    'context_overflow',
    false,
  ],
  [
    400,
    'invalid_request_error',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
    'agent',
    'context_overflow',
    false,
  ],
  [400, 'invalid_request_error', 'Output blocked by content filtering policy', 'agent', 'refusal', false],
  [
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API.',
    'agent',
    'invalid_request',
    false,
  ],
  [401, '', '', 'infrastructure', 'key_refused', false],
  [402, '', '', 'infrastructure', 'credit_gone', false],
  [403, '', '', 'infrastructure', 'key_refused', false],
  [403, '', 'your input was flagged by moderation', 'agent', 'refusal', false],
  [404, 'model_not_found', '', 'infrastructure', 'model_unknown', false],
  [408, '', '', 'infrastructure', 'provider_timeout', true],
  [409, '', '', 'infrastructure', 'http_409', true],
  [429, 'rate_limit_exceeded', '', 'infrastructure', 'rate_limited', true],
  [429, 'insufficient_quota', '', 'infrastructure', 'credit_gone', false],
  [500, '', '', 'infrastructure', 'http_500', true],
  [529, '', '', 'infrastructure', 'http_529', true],
] as const)('%i %s %s is %s %s, retryable %s', (status, code, message, fault, expected, retryable) => {
  expect(classifyRejection({ status, code, parameter: null, message, retryAfterMs: null })).toMatchObject({
    kind: 'rejected',
    fault,
    code: expected,
    retryable,
  });
});

it('a 400 about credit claims that the credit is gone; whether the agent wrote those words is for the gateway to see', () => {
  const message = 'Your credit balance is too low to access the Anthropic API.';
  const rejection = { status: 400, code: 'invalid_request_error', parameter: null, message, retryAfterMs: null };
  expect(classifyRejection(rejection)).toMatchObject({ claim: { kind: 'credit_gone' } });
});

const NOW = Date.parse('2026-01-01T00:00:00Z');
it.each([
  [{}, null],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, 3000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after': '-4' }, 0],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
])('headers %o ask for a wait of %s ms', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});
