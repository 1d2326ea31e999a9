import { describe, expect, it } from 'vitest';
import { admit, type AdmissionRequest, type PlannedAttempt } from '../../src/domain/admission.ts';
import { TaskId } from '../../src/schema/ids.ts';
import type { Modality } from '../../src/schema/splits.ts';

const minute = 60_000;
const attempts: PlannedAttempt[] = (['document', 'presentation', 'spreadsheet'] satisfies Modality[]).flatMap(
  (modality) =>
    Array.from({ length: 30 }, (_, index) => ({
      taskId: TaskId.parse(`p/${modality}-${String(index).padStart(2, '0')}`),
      modality,
      wallP90Ms: 10 * minute,
      tokensP90: 100_000,
    })),
);
const request: AdmissionRequest = {
  purpose: 'feedback',
  attempts,
  lanes: 4,
  reserveMs: 60 * minute,
  judgeTailMs: 5 * minute,
  wallLeftMs: 24 * 60 * minute,
  tokensLeft: null,
  minimum: { tasks: 60, perModality: 18 },
};

describe('admit', () => {
  it('admits a pass that fits with the reserved query, and tells the figures', () => {
    expect(admit(request)).toEqual({
      kind: 'admit',
      needMs: 225 * minute + 65 * minute,
      leftMs: 24 * 60 * minute,
      needTokens: 9_000_000,
      leftTokens: null,
    });
  });

  it('shrinks a feedback pass to the largest stratified subset that fits', () => {
    const admission = admit({ ...request, wallLeftMs: (150 + 65) * minute + 6 * minute });
    expect(admission).toMatchObject({ kind: 'shrink', planned: 90 });
    if (admission.kind !== 'shrink') return;
    const counts = ['document', 'presentation', 'spreadsheet'].map(
      (modality) => admission.taskIds.filter((id) => id.includes(modality)).length,
    );
    expect(counts).toEqual([21, 21, 20]);
    expect(admission.needMs).toBeLessThanOrEqual(admission.leftMs);
  });

  it('takes the same subset whatever the order of the plan', () => {
    const short = { ...request, wallLeftMs: 220 * minute };
    expect(admit({ ...short, attempts: attempts.toReversed() })).toEqual(admit(short));
  });

  it('refuses a feedback pass whose minimum does not fit', () => {
    const admission = admit({ ...request, wallLeftMs: (149 + 65) * minute });
    expect(admission).toMatchObject({ kind: 'refuse', which: 'wall', needMs: 290 * minute, leftMs: 214 * minute });
  });

  it('never shrinks a selection pass', () => {
    expect(admit({ ...request, purpose: 'selection', wallLeftMs: 280 * minute }).kind).toBe('refuse');
  });

  it('keeps the minimum of each modality', () => {
    const lopsided = attempts.filter(({ taskId }) => !taskId.includes('document') || taskId.endsWith('00'));
    const admission = admit({
      ...request,
      attempts: lopsided,
      minimum: { tasks: 20, perModality: 18 },
      wallLeftMs: 160 * minute,
    });
    expect(admission).toMatchObject({ kind: 'shrink' });
    if (admission.kind === 'shrink') {
      expect(admission.taskIds.filter((id) => id.includes('document'))).toHaveLength(1);
      expect(admission.taskIds.filter((id) => id.includes('spreadsheet')).length).toBeGreaterThanOrEqual(18);
    }
    expect(
      admit({ ...request, attempts: lopsided, minimum: { tasks: 20, perModality: 18 }, wallLeftMs: 150 * minute }).kind,
    ).toBe('refuse');
  });

  it('refuses for tokens when those are short', () => {
    expect(admit({ ...request, purpose: 'selection', tokensLeft: 8_999_999 })).toMatchObject({
      kind: 'refuse',
      which: 'tokens',
      needTokens: 9_000_000,
      leftTokens: 8_999_999,
    });
  });

  it('shrinks for tokens too', () => {
    expect(admit({ ...request, tokensLeft: 7_000_000 })).toMatchObject({ kind: 'shrink', needTokens: 7_000_000 });
  });

  it('never expects a pass to be shorter than its longest attempt', () => {
    const one = attempts.slice(0, 1);
    expect(
      admit({ ...request, attempts: one, lanes: 64, reserveMs: 0, judgeTailMs: 0, wallLeftMs: 9 * minute }).kind,
    ).toBe('refuse');
  });
});
