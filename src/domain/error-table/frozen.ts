import type { ErrorEntry } from './error-entry.ts';

/** 20xx: what was frozen, and the data home it lies in. */
export const frozenErrors = {
  'ANL-2001': {
    exit: 2,
    retryable: false,
    template: '{file} no longer matches the running experiment {experiment}',
    remedy: 'anneal resume {experiment}   or start another: anneal run {file} --new',
  },
  'ANL-2003': {
    exit: 2,
    retryable: false,
    template: 'data home {home} has layout version {found}',
    remedy: 'use the anneal that wrote it, or start a new data home: ANNEAL_HOME=…',
  },
  'ANL-2004': {
    exit: 2,
    retryable: false,
    template: 'contents of {experiment} changed since it was frozen',
    remedy: 'restore them, or start another: anneal run FILE --new',
  },
} as const satisfies Record<`ANL-20${number}`, ErrorEntry>;
