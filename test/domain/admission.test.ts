import { describe, expect, it } from 'vitest';
import { admit, passMs, type AdmissionRequest, type PlannedAttempt } from '../../src/domain/admission.ts';
import { TaskId } from '../../src/schema/ids.ts';
import type { Modality } from '../../src/schema/splits.ts';

const minute = 60_000;
const attempts: PlannedAttempt[] = (['document', 'presentation', 'spreadsheet'] satisfies Modality[]).flatMap(
  (modality) =>
    Array.from({ length: 30 }, (_, index) => ({
      taskId: TaskId.parse(`p/${modality}-${String(index).padStart(2, '0')}`),
      modality,
      wallP90Ms: 10 * minute,
    })),
);
/** 225 minutes over four lanes, and 60 that must still fit. */
const request: AdmissionRequest = {
  purpose: 'feedback',
  attempts,
  lanes: 4,
  reserveMs: 60 * minute,
  leftMs: 24 * 60 * minute,
};

function subsetOf(changes: Partial<AdmissionRequest>): readonly TaskId[] {
  const admission = admit({ ...request, ...changes });
  if (admission.kind !== 'shrink') throw new Error(admission.kind);
  return admission.taskIds;
}

const countsOf = (ids: readonly TaskId[]): number[] =>
  ['document', 'presentation', 'spreadsheet'].map((modality) => ids.filter((id) => id.includes(modality)).length);

describe('admit', () => {
  it('admits a pass that fits with its reserve to the minute, and tells both figures', () => {
    const figures = { needMs: 285 * minute, leftMs: 285 * minute };
    expect(admit({ ...request, leftMs: 285 * minute })).toEqual({ kind: 'admit', ...figures });
  });

  it('shrinks a feedback pass to the largest stratified subset that fits', () => {
    expect(countsOf(subsetOf({ leftMs: (155 + 60) * minute }))).toEqual([21, 21, 20]);
  });

  it('tells what the whole pass would have needed', () => {
    const admission = admit({ ...request, leftMs: 284 * minute });
    expect(admission).toMatchObject({ kind: 'shrink', planned: 90, needMs: 285 * minute, leftMs: 284 * minute });
  });

  it('takes the same subset whatever the order of the plan', () => {
    const short = { ...request, leftMs: 220 * minute };
    expect(admit({ ...short, attempts: attempts.toReversed() })).toEqual(admit(short));
  });

  it('refuses a feedback pass of which less than two thirds would fit', () => {
    expect(subsetOf({ leftMs: (150 + 60) * minute })).toHaveLength(60);
    const leftMs = (150 + 60) * minute - 1;
    expect(admit({ ...request, leftMs })).toEqual({ kind: 'refuse', needMs: 285 * minute, leftMs });
  });

  it('keeps three fifths of each modality, or all where there is but one', () => {
    const lopsided = attempts.filter(({ taskId }) => !taskId.includes('document') || taskId.endsWith('00'));
    expect(countsOf(subsetOf({ attempts: lopsided, leftMs: 163 * minute }))).toEqual([1, 20, 20]);
    const dear = lopsided.map((attempt) =>
      attempt.modality === 'document' ? { ...attempt, wallP90Ms: 60 * minute } : attempt,
    );
    expect(countsOf(subsetOf({ attempts: dear, leftMs: 176 * minute }))).toEqual([1, 20, 20]);
  });

  it('never shrinks a selection pass', () => {
    expect(admit({ ...request, purpose: 'selection', leftMs: 284 * minute }).kind).toBe('refuse');
  });

  it('counts nothing for attempts whose outcome stands', () => {
    const standing = attempts.map((attempt) => ({ ...attempt, wallP90Ms: 0 }));
    expect(admit({ ...request, attempts: standing, reserveMs: 0, leftMs: 1 })).toMatchObject({
      kind: 'admit',
      needMs: 0,
    });
  });
});

describe('a cap over the whole experiment', () => {
  const allowance = {
    kind: 'money',
    perAttempt: { mean: 1000, deviation: 0 },
    attemptsAfter: 10,
    updaterPerAttempt: 100,
    perCall: 500,
    left: 109_500,
  } as const;
  const capped = (left: number, changes: Partial<AdmissionRequest> = {}) =>
    admit({ ...request, allowances: [{ ...allowance, left }], ...changes });

  it('admits what fits with the updater, the selection after it and one more call', () => {
    expect(capped(90 * 1100 + 10 * 1000 + 500).kind).toBe('admit');
  });

  it('shrinks feedback as time does, and tells what was short', () => {
    const short = { kind: 'money', need: 109_500, left: 109_499 };
    expect(capped(109_499)).toMatchObject({ kind: 'shrink', planned: 90, short });
  });

  it('refuses what cannot shrink so far', () => {
    expect(capped(50_000)).toMatchObject({ kind: 'refuse', short: { kind: 'money', left: 50_000 } });
    expect(capped(109_499, { purpose: 'selection' }).kind).toBe('refuse');
  });

  it('tells time where both are short', () => {
    expect(capped(0, { leftMs: 0 })).toEqual({ kind: 'refuse', needMs: 285 * minute, leftMs: 0 });
  });

  it('minds nothing where every outcome stands', () => {
    const standing = attempts.map((attempt) => ({ ...attempt, wallP90Ms: 0 }));
    expect(capped(0, { attempts: standing }).kind).toBe('admit');
  });

  it('leaves the limit to the gateway while nobody knows what an attempt draws', () => {
    expect(
      admit({ ...request, allowances: [{ ...allowance, perAttempt: null, updaterPerAttempt: 0, left: 500 }] }).kind,
    ).toBe('admit');
  });
});

describe('the time of a pass', () => {
  it('is never shorter than its longest attempt', () => {
    expect(passMs(attempts.slice(0, 2), 64)).toBe(10 * minute);
  });

  it('is the sum over the lanes otherwise', () => {
    expect(passMs(attempts, 4)).toBe(225 * minute);
  });
});
