import type { ErrorEntry } from './error-entry.ts';

/** 50xx: services. */
export const serviceErrors = {
  'ANL-5001': {
    exit: 5,
    retryable: true,
    template: 'gateway is not reachable at {address}',
    remedy: 'anneal up     then check everything with: anneal doctor',
  },
  'ANL-5002': {
    exit: 5,
    retryable: true,
    template: 'worker is not running',
    remedy: 'anneal up     then check everything with: anneal doctor',
  },
  'ANL-5003': {
    exit: 5,
    retryable: true,
    template: 'Temporal is not reachable at {address}',
    remedy: 'anneal up     then check everything with: anneal doctor',
  },
  'ANL-5005': {
    exit: 5,
    retryable: false,
    template: 'key variable {variable} of the {role} model is not set',
    remedy: 'export {variable}=… , then: anneal down     and the same command again',
  },
  'ANL-5007': {
    exit: 5,
    retryable: true,
    template: '{service} did not start',
    remedy: 'anneal logs {service}     then: anneal doctor',
  },
  'ANL-5008': {
    exit: 5,
    retryable: false,
    template: 'Temporal cannot use its database {file}',
    remedy:
      'anneal down; mv {file} {file}.old; anneal up     then: anneal resume     goes on from the ledger, nothing is paid twice',
  },
  'ANL-5010': {
    exit: 5,
    retryable: false,
    template: 'the {role} model of {experiment} is halted',
    remedy: 'anneal status {experiment}',
  },
} as const satisfies Record<`ANL-50${number}`, ErrorEntry>;
