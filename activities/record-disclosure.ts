import { createHash } from 'node:crypto';
import { canonicalJson } from '../src/domain/canonical-json.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import type { ArmName, AttemptKey } from '../src/schema/ids.ts';
import { recordStamp } from '../src/schema/record-stamp.ts';
import type { DisclosureRecord } from '../src/schema/record.ts';
import type { RecordStore } from './record-store.ts';

/**
 * Put on record what an updater is about to receive, or wrote, before it gets any further: an audit reads these bytes
 * again. Once per items. `key`: the model call behind them.
 */
export async function recordDisclosure(
  records: RecordStore,
  lock: ExperimentLock,
  now: number,
  disclosure: { readonly arm: ArmName; readonly key?: AttemptKey; readonly items: DisclosureRecord['items'] },
): Promise<void> {
  const { arm, items } = disclosure;
  if (items.length === 0) return;
  const digest = createHash('sha256').update(canonicalJson(items)).digest('hex');
  await records.append(lock, 'open', `disclosure/${arm}/${disclosure.key ?? ''}/${digest}`, {
    kind: 'disclosure',
    ...recordStamp(lock, now),
    arm,
    key: disclosure.key ?? null,
    items: [...items],
  });
}
