import type { ErrorEntry } from './error-entry.ts';

/** 60xx: integrity. */
export const integrityErrors = {
  'ANL-6001': {
    exit: 6,
    retryable: false,
    template: '{object} does not match its digest',
    remedy: 'anneal doctor; restore the data home from a copy if a disk failed',
  },
  'ANL-6004': {
    exit: 6,
    retryable: false,
    template: 'ref {ref} already points to another commit',
    remedy: 'keep the data home as it is and report this',
  },
  'ANL-6006': {
    exit: 6,
    retryable: false,
    template: 'lease of attempt {attempt} was taken over',
    remedy: 'nothing: a newer supervisor goes on with it',
  },
  'ANL-6007': {
    exit: 6,
    retryable: false,
    template: 'final attempt asked for revision {revision}, which is not frozen',
    remedy: 'anneal status {experiment}',
  },
  'ANL-6008': {
    exit: 6,
    retryable: false,
    template: 'record file {file} is damaged',
    remedy: 'anneal down && anneal up     writes it again from the ledger',
  },
  'ANL-6009': {
    exit: 6,
    retryable: false,
    template: 'anneal met a state it does not know: {state}',
    remedy: 'report this with: anneal logs worker',
  },
  'ANL-6010': {
    exit: 6,
    retryable: false,
    template: '{experiment} is closed: nothing more is spent on it',
    remedy: 'nothing: anneal report {experiment}     has all that was spent',
  },
} as const satisfies Record<`ANL-60${number}`, ErrorEntry>;
