import Database from 'libsql';
import { z } from 'zod';
import type { UsageRecord } from '../../src/schema/record.ts';
import type { EvidenceCopy } from './evidence-copy.ts';

const Row = z.object({ key: z.string(), reserved: z.number(), charged: z.number() });

/**
 * An updater's call that was under way when the totals were written and ended a minute after it: there it stands at its
 * bound. Returns both figures.
 */
export function plantLateEnd(copy: EvidenceCopy): z.infer<typeof Row> {
  const total = copy.records().find((record) => record.kind === 'usage' && record.role === 'updater') as UsageRecord;
  const database = new Database(copy.home.ledger);
  const found = database
    .prepare(
      "SELECT attempt_key AS key, reserved, charged FROM call WHERE role = 'updater' AND state = 'settled' LIMIT 1",
    )
    .get([]);
  database.close();
  const row = Row.parse(found);
  copy.sql('UPDATE call SET settled_at = ? WHERE attempt_key = ?', [Date.parse(total.at) + 60_000, row.key]);
  copy.forge(
    (record) => record.kind === 'usage' && record.role === 'updater',
    (record) => ({
      ...record,
      reported: total.reported - row.charged,
      charged: total.charged - row.charged + row.reserved,
      unknownCharged: row.reserved,
      served: total.served?.map((model) => ({ ...model, calls: model.calls - 1 })),
    }),
    'both',
  );
  return row;
}
