import { describe, expect, test } from 'vitest';
import { rebuildRecords } from '../../activities/rebuild-records.ts';
import { AnnealError } from '../../src/domain/errors.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import { buildLock } from '../support/lock-builder.ts';

const locks = [buildLock(), buildLock()];

/** Rebuilds both; of the first one every try fails before number `mended`. */
async function rebuilt(error: Error, mended: number): Promise<{ readonly tries: number[]; readonly told: unknown[] }> {
  const tries = locks.map(() => 0);
  const told: unknown[] = [];
  const rebuild = async (lock: ExperimentLock): Promise<void> => {
    const at = locks.indexOf(lock);
    tries[at] = (tries[at] ?? 0) + 1;
    if (at === 0 && (tries[0] ?? 0) < mended) throw error;
  };
  await rebuildRecords(locks, { rebuild }, (_, failure) => told.push(failure), 0);
  return { tries, told };
}

const unreachable = new AnnealError('ANL-5001', { address: 'gateway.sock' });
const damaged = new AnnealError('ANL-6001', { object: 'its lock' });

describe('the record files of all experiments', () => {
  test('are waited for while the gateway only starts', async () => {
    expect(await rebuilt(unreachable, 5)).toEqual({ tries: [5, 1], told: [] });
  });

  test.each([
    ['no time mends', damaged, 1],
    ['is not mended in time', unreachable, 30],
    ['nobody foresaw', new Error('out of cheese'), 1],
  ])('are told once where their writing fails for what %s, and the others are written', async (_, error, tries) => {
    expect(await rebuilt(error, Number.POSITIVE_INFINITY)).toEqual({ tries: [tries, 1], told: [error] });
  });
});
