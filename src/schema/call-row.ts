import { z } from 'zod';
import { AttemptKey, Sha256 } from './ids.ts';
import { Role } from './lease.ts';
import { ModelResponse } from './model-call.ts';

/** How the gateway names a refusal at its front; the body is `{"error": {"type", "code", "message"}}`. */
export const FrontErrorType = z.enum([
  'call_limit',
  'token_limit',
  'budget_refused',
  'invalid_request',
  'context_overflow',
  'refusal',
  'provider_unavailable',
  'fenced',
  'call_conflict',
]);
export type FrontErrorType = z.infer<typeof FrontErrorType>;

/** The body that the gateway stored for a call and gives again for the same number and request. */
export const RecordedAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answered'), response: ModelResponse }),
  z.object({
    kind: z.literal('fault'),
    type: z.enum(['context_overflow', 'invalid_request', 'refusal']),
    message: z.string(),
  }),
]);
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** Identity of one request attempt. `call` counts from 1 within an epoch, `retryIndex` from 0 within a call. */
export const CallKey = z.object({
  attemptKey: AttemptKey,
  epoch: z.number().int().positive(),
  call: z.number().int().positive(),
  retryIndex: z.number().int().nonnegative(),
});
export type CallKey = z.infer<typeof CallKey>;

const Count = z.number().int().nonnegative();

/** One request attempt in the ledger: written as `reserved`, changed once, never deleted. Tokens; times in epoch ms. */
export const CallRow = CallKey.extend({
  role: Role,
  requestHash: Sha256,
  state: z.enum(['reserved', 'settled', 'unknown', 'rejected']),
  /** null while reserved. */
  basis: z.enum(['reported', 'rejected', 'upperBound']).nullable(),
  reserved: Count,
  /** null while reserved. */
  charged: Count.nullable(),
  /** null when the provider told none; null is never 0. */
  reportedInput: Count.nullable(),
  reportedOutput: Count.nullable(),
  cacheRead: Count.nullable(),
  cacheWrite: Count.nullable(),
  reasoning: Count.nullable(),
  /** Millionths of a dollar at the price of the time it was reserved; null where that was not known. */
  reservedMicroUsd: Count.nullable(),
  /** null too while reserved. */
  chargedMicroUsd: Count.nullable(),
  outputCap: Count,
  streamed: z.boolean(),
  /** The model that answered, by its own account; null without an answer. */
  servedModel: z.string().nullable(),
  /** Who is at fault, and what went wrong, in a word and in a sentence; null where nothing did. */
  fault: z.enum(['infrastructure', 'agent']).nullable(),
  code: z.string().nullable(),
  detail: z.string().nullable(),
  /** Digest of the stored answer, null where there is none. */
  responseSha256: Sha256.nullable(),
  reservedAt: Count,
  /** null while reserved. */
  settledAt: Count.nullable(),
});
export type CallRow = z.infer<typeof CallRow>;
