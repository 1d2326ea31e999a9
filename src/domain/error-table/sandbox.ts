import type { ErrorEntry } from './error-entry.ts';

/** 30xx: sandbox, Python environments and the machine. */
export const sandboxErrors = {
  'ANL-3001': {
    exit: 5,
    retryable: false,
    template: 'no sandbox can be started here',
    remedy: '{fix}',
  },
  'ANL-3002': {
    exit: 5,
    retryable: false,
    template: 'Python is missing',
    remedy: 'install Python 3.11 or newer: apt-get install python3 python3-venv',
  },
  'ANL-3005': {
    exit: 5,
    retryable: true,
    template: 'Python environment {environment} could not be installed',
    remedy: 'check the network to the package index, then run the same command again',
  },
  'ANL-3011': {
    exit: 2,
    retryable: false,
    template: 'path {path} is too long for a socket',
    remedy: 'set ANNEAL_HOME to a shorter path',
  },
  'ANL-3012': {
    exit: 5,
    retryable: true,
    template: '{path} cannot be used',
    remedy: 'correct permissions or free space there, then the same again',
  },
  'ANL-3013': {
    exit: 5,
    retryable: true,
    template: 'the disk of {path} is full',
    remedy: 'free space there; an experiment goes on by itself, a command has to be given again',
  },
} as const satisfies Record<`ANL-30${number}`, ErrorEntry>;
