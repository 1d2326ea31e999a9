import { expect, it } from 'vitest';
import { isAboutTime } from '../../../src/adapters/providers/about-time.ts';

it.each([
  [408, 'invalid_request_error', 'm'],
  [408, ' timeout', 'Request timed out'],
  [504, ' timeout_error', 'm'],
  [504, ' overloaded_error', 'the provider did not respond in time'],
  [522, ' server_error', 'm'],
  [524, '', ''],
  [500, ' timeout_error', 'm'],
  [500, 'timed_out server_error', 'm'],
  [500, ' api_error', 'Upstream request timed out after 600 s'],
  [500, 'deadline_exceeded', 'm'],
  [502, ' api_error', 'litellm.Timeout: APITimeoutError - Request timed out.'],
  [503, ' server_error', 'Time-out while waiting for the model'],
  [409, ' lock_timeout', 'm'],
  [499, ' api_error', 'deadline exceeded'],
])('a %i with %o that says %o is about time: it may hide billed work', (status, code, message) => {
  expect(isAboutTime({ status, code, message })).toBe(true);
});

it.each([
  [400, ' invalid_request_error', 'timeout: unknown field'],
  [401, ' authentication_error', 'the key timed out'],
  [402, ' billing_error', 'timeout'],
  [403, ' permission_error', 'timeout'],
  [404, ' not_found_error', 'no model named timeout'],
  [413, ' request_too_large', 'timeout'],
  [422, ' invalid_request_error', 'timeout'],
  [429, ' rate_limit_error', 'timeout: too many requests'],
  [500, ' api_error', 'Internal server error'],
  [502, ' server_error', 'bad gateway'],
  [503, ' server_error', 'unavailable at this time'],
  [500, ' overloaded_error', 'Overloaded; request timed out in the queue'],
  [529, ' overloaded_error', 'timeout'],
  [525, '', 'handshake timed out'],
])('a %i with %o that says %o is not: it cost nothing', (status, code, message) => {
  expect(isAboutTime({ status, code, message })).toBe(false);
});
