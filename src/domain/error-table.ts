/* oxlint-disable max-lines -- a data table */

/** One row of the error table. */
export interface ErrorEntry {
  /** Process exit code: 2 bad input · 5 service · 6 integrity. Coverage, budgets and cancellation are told by a report's. */
  readonly exit: 2 | 5 | 6;
  /** True when the same request may succeed later without any change by a person. */
  readonly retryable: boolean;
  /** What happened to which id; `{name}` stands for a field. */
  readonly template: string;
  /** What to do next; may use the same fields. */
  readonly remedy: string;
}

/**
 * Every error a person can meet. 10xx configuration and addressing · 11xx splits and leakage · 12xx tasks and packs ·
 * 20xx frozen configuration · 30xx sandbox and environments · 50xx services · 60xx integrity.
 */
export const errors = {
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
  'ANL-1021': {
    exit: 2,
    retryable: false,
    template: 'money is capped, and the price of the {role} model {model} is not known',
    remedy: 'add {model} to a price file and name it in the experiment: prices: FILE     or take out moneyUsd',
  },

  'ANL-1019': {
    exit: 2,
    retryable: false,
    template: 'no experiment in {home} yet',
    remedy: 'anneal demo     or: anneal run FILE',
  },
  'ANL-1101': {
    exit: 2,
    retryable: false,
    template: 'task {task} is in two splits',
    remedy: 'keep {task} in one of them',
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

  'ANL-1201': {
    exit: 2,
    retryable: false,
    template: 'no task "{task}"',
    remedy: 'correct the id, or add the folder that holds it under tasks:',
  },
  'ANL-1202': {
    exit: 2,
    retryable: false,
    template: 'Dockerfile instruction {instruction} of {task} is not supported by {driver}',
    remedy: 'bubblewrap takes FROM, WORKDIR, ENV and COPY; drop the task or rewrite its Dockerfile',
  },
  'ANL-1203': {
    exit: 2,
    retryable: false,
    template: 'task {task} is not a valid task directory',
    remedy: 'correct the file shown, then: anneal tasks audit',
  },
  'ANL-1204': {
    exit: 2,
    retryable: false,
    template: '{failed} of {total} replays missed their expected reward in {pack}',
    remedy: 'correct the judges named above, then: anneal tasks audit',
  },
  'ANL-1205': {
    exit: 2,
    retryable: false,
    template: '{directory} holds no {source} tasks',
    remedy: 'give the folder of the upstream checkout that contains them',
  },
  'ANL-1206': {
    exit: 2,
    retryable: false,
    template: '{feature} of {task} is not supported',
    remedy: 'drop the task; it was read, but cannot be run',
  },
  'ANL-1207': {
    exit: 2,
    retryable: false,
    template: 'harness {directory} is not the four files',
    remedy: 'it needs exactly agent.py, environment.py, systemprompt.md and playbook.md',
  },
  'ANL-1208': {
    exit: 2,
    retryable: false,
    template: 'output folder {directory} already exists',
    remedy: 'choose another --out, or remove it first',
  },

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
} as const satisfies Record<`ANL-${number}`, ErrorEntry>;
