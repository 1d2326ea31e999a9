import type { ErrorEntry } from './error-entry.ts';

/** 11xx: splits and leakage. */
export const splitErrors = {
  'ANL-1101': {
    exit: 2,
    retryable: false,
    template: 'task {task} is {where}',
    remedy: 'keep {task} once',
  },
  'ANL-1102': {
    exit: 2,
    retryable: false,
    template: 'leakage group "{group}" is in two splits',
    remedy: 'move {task} to {split}, or drop it',
  },
  'ANL-1103': {
    exit: 2,
    retryable: false,
    template: 'cross-office task {task} is in {split}',
    remedy: 'move {task} to final-cross-office, or drop it',
  },
  'ANL-1104': {
    exit: 2,
    retryable: false,
    template: 'task {task} of kind {modality} is in {split}',
    remedy: 'only cross-office tasks belong there: move {task} to final-in-domain, or drop it',
  },
  'ANL-1105': {
    exit: 2,
    retryable: false,
    template: 'an input file of {task} is also an input of a task in another split',
    remedy: 'give both tasks one leakage group and one split, or drop one',
  },
} as const satisfies Record<`ANL-11${number}`, ErrorEntry>;
