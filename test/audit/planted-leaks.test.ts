import { expect, test } from 'vitest';
import { barrier } from '../../src/domain/visibility.ts';
import { evidenceLeaks } from '../support/planted-leaks.ts';

test('the audit has a planted leak for everything that the barrier lets an updater read', () => {
  expect(Object.keys(evidenceLeaks).toSorted()).toEqual(barrier.updater.feedback.toSorted());
  expect(barrier.updater.selection).toEqual(['selection-number']);
  expect([barrier.updater['final-in-domain'], barrier.updater['final-cross-office']]).toEqual([[], []]);
});
