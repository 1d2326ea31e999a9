import type { ErrorEntry } from './error-entry.ts';

/** 51xx: a role's model is not asked any more, and the experiment waits. */
export const modelErrors = {
  'ANL-5101': {
    exit: 5,
    retryable: false,
    template: 'the provider refuses the key of the {role} model ({variable})',
    remedy: 'export {variable}=… , then: anneal resume {experiment}',
  },
  'ANL-5102': {
    exit: 5,
    retryable: false,
    template: 'the credit or quota of the {role} model is used up',
    remedy: 'add credit at the provider, then: anneal resume {experiment}',
  },
  'ANL-5103': {
    exit: 5,
    retryable: false,
    template: 'the provider does not know the {role} model {model} at {address}',
    remedy:
      'anneal resume {experiment}     once it is served; another model is another experiment: anneal run {file} --new',
  },
  'ANL-5104': {
    exit: 5,
    retryable: false,
    template: 'the provider of the {role} model does not take {setting} as it is set',
    remedy: 'change {setting} in {file}, then: anneal run {file} --new',
  },
  'ANL-5105': {
    exit: 5,
    retryable: false,
    template: 'another model answers as {role}: {model} was pinned',
    remedy: 'anneal resume {experiment}     once {model} is served again',
  },
  'ANL-5106': {
    exit: 5,
    retryable: true,
    template: 'the provider of the {role} model lets nothing through: its rate limit',
    remedy: 'anneal resume {experiment}',
  },
  'ANL-5107': {
    exit: 5,
    retryable: true,
    template: 'the provider of the {role} model cannot be reached at {address}',
    remedy: 'check the network and the address, then: anneal resume {experiment}',
  },
  'ANL-5108': {
    exit: 5,
    retryable: true,
    template: 'the provider of the {role} model keeps failing',
    remedy: 'anneal resume {experiment}',
  },
  'ANL-5109': {
    exit: 5,
    retryable: false,
    template: 'money is capped, and the price of the {role} model {model} is not known any more',
    remedy: 'add {model} to the price file of {file}, then: anneal run {file}',
  },
} as const satisfies Record<`ANL-51${number}`, ErrorEntry>;
