import type { ErrorEntry } from './error-entry.ts';

/** 12xx: tasks, packs and harnesses. */
export const taskErrors = {
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
    remedy: 'give the folder whose direct children are the tasks, or the upstream checkout that contains them',
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
} as const satisfies Record<`ANL-12${number}`, ErrorEntry>;
