import type { ErrorEntry } from './error-entry.ts';

/** 10xx: configuration, addressing and the command line. */
export const configurationErrors = {
  'ANL-1001': {
    exit: 2,
    retryable: false,
    template: '{file} is not valid YAML',
    remedy: 'correct the syntax at the place shown',
  },
  'ANL-1002': {
    exit: 2,
    retryable: false,
    template: 'unknown key "{key}" in {file}',
    remedy: 'remove {key}, or correct its spelling',
  },
  'ANL-1003': {
    exit: 2,
    retryable: false,
    template: '{key} in {file} has a value that is not allowed',
    remedy: 'correct the value of {key}',
  },
  'ANL-1004': {
    exit: 2,
    retryable: false,
    template: 'file {file} does not exist',
    remedy: 'create it, or correct the path; paths are relative to the file that names them',
  },
  'ANL-1005': {
    exit: 2,
    retryable: false,
    template: 'variable {variable} is not set',
    remedy: 'export {variable}=… or write a default: ${{variable}:-value}',
  },
  'ANL-1006': {
    exit: 2,
    retryable: false,
    template: 'key "{key}" is missing in {file}',
    remedy: 'add {key}',
  },
  'ANL-1008': {
    exit: 2,
    retryable: false,
    template: 'no experiment "{experiment}" in {home}',
    remedy: 'anneal list',
  },
  'ANL-1009': {
    exit: 2,
    retryable: false,
    template: 'prefix "{prefix}" fits more than one experiment',
    remedy: 'write more of the id: {matches}',
  },
  'ANL-1011': {
    exit: 2,
    retryable: false,
    template: '{experiment} is {state}; it cannot be {action}',
    remedy: 'anneal status {experiment}',
  },
  'ANL-1012': {
    exit: 2,
    retryable: false,
    template: 'no data home at or above {directory}',
    remedy: 'anneal run FILE creates one here, or set ANNEAL_HOME',
  },
  'ANL-1013': {
    exit: 2,
    retryable: false,
    template: 'option {option} cannot be {value}',
    remedy: 'anneal {command} --help',
  },
  'ANL-1014': {
    exit: 2,
    retryable: false,
    template: 'no revision "{revision}" in {experiment}',
    remedy: 'use one of: {available}',
  },
  'ANL-1015': {
    exit: 2,
    retryable: false,
    template: 'no attempt "{attempt}" in {experiment}',
    remedy: 'anneal status {experiment}',
  },
  'ANL-1016': {
    exit: 2,
    retryable: false,
    template: '{problem}',
    remedy: 'anneal --help',
  },
  'ANL-1017': {
    exit: 2,
    retryable: false,
    template: '{file} cannot be read',
    remedy: 'name a readable file or folder of the right kind',
  },
  'ANL-1018': {
    exit: 2,
    retryable: false,
    template: 'data home {home} cannot be used',
    remedy: 'correct that, or set ANNEAL_HOME to a folder that you may write to',
  },
  'ANL-1019': {
    exit: 2,
    retryable: false,
    template: 'no experiment in {home} yet',
    remedy: 'anneal demo     or: anneal run FILE',
  },
  'ANL-1021': {
    exit: 2,
    retryable: false,
    template: 'money is capped, and the price of the {role} model {model} is not known',
    remedy: 'add {model} to a price file and name it in the experiment: prices: FILE     or take out moneyUsd',
  },
  'ANL-1022': {
    exit: 2,
    retryable: false,
    template: '{path} cannot be written to',
    remedy: 'name a folder that you may write to',
  },
  'ANL-1024': {
    exit: 2,
    retryable: false,
    template: '"{text}" holds a ${ that is no variable',
    remedy: 'write ${VAR}, or ${VAR:-default} with a default in which no ${ stands',
  },
} as const satisfies Record<`ANL-10${number}`, ErrorEntry>;
