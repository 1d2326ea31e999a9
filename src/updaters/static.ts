import type { Updater } from './step-machine.ts';

/** H0 itself: the arm that changes nothing. */
export const staticUpdater: Updater<Record<string, never>> = {
  describe: () => ({
    name: 'static',
    version: 1,
    editableFiles: [],
    evidenceKinds: [],
    sessionTools: [],
    defaults: {},
  }),
  init: () => ({}),
  next: () => ({ kind: 'finish', end: 'done', reason: 'static: H0 stays as it is' }),
  apply: (state) => state,
};
