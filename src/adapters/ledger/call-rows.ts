import { z } from 'zod';
import { CallRow } from '../../schema/call-row.ts';

/** Columns of `call c` in the names of `CallRow`. */
export const CALL_COLUMNS = `c.attempt_key AS attemptKey, c.epoch, c.seq AS call, c.retry_index AS retryIndex, c.role,
  c.request_hash AS requestHash, c.state, c.basis, c.reserved, c.charged, c.reported_input AS reportedInput,
  c.reported_output AS reportedOutput, c.cache_read AS cacheRead, c.cache_write AS cacheWrite, c.reasoning,
  c.micro_usd_reserved AS reservedMicroUsd, c.micro_usd_charged AS chargedMicroUsd, c.output_cap AS outputCap, c.streamed, c.served_model AS servedModel, c.fault, c.code, c.detail,
  c.response_sha256 AS responseSha256, c.reserved_at AS reservedAt, c.settled_at AS settledAt`;

/** A row as `CALL_COLUMNS` select it. */
export const StoredCallRow = CallRow.extend({ streamed: z.number().transform((flag) => flag === 1) });

/** Reads rows selected by `CALL_COLUMNS`. */
export function parseCallRows(rows: readonly unknown[]): CallRow[] {
  return StoredCallRow.array().parse(rows);
}
