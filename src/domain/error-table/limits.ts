import type { ErrorEntry } from './error-entry.ts';

/** 40xx: coverage and budgets. */
export const limitErrors = {
  'ANL-4003': {
    exit: 3,
    retryable: false,
    template: 'infrastructure left {missing} of {planned} attempts of the {pass} without a score',
    remedy: 'anneal doctor     then: anneal resume {experiment}',
  },
} as const satisfies Record<`ANL-40${number}`, ErrorEntry>;
