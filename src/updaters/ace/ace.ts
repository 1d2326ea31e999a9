import { aceBatchCount } from '../../domain/ace-batch-count.ts';
import { dealBatches } from '../../domain/deal-batches.ts';
import type { Updater, UpdaterContext } from '../step-machine.ts';
import { applyResult } from './apply-result.ts';
import { nextAction } from './next-action.ts';
import type { AceSettings, AceState } from './state.ts';

/**
 * ACE: a playbook that grows by reflection. Feedback is dealt into three batches; each is solved with the playbook
 * frozen, reflected on in parallel, curated task by task in id order, and submitted.
 */
export const aceUpdater: Updater<AceState, AceSettings> = {
  describe: () => ({
    name: 'ace',
    version: 1,
    editableFiles: ['playbook.md'],
    evidenceKinds: ['diagnostics', 'transcript'],
    sessionTools: [],
    defaults: { curatorOps: ['ADD'], playbookBytes: 65_536 },
  }),
  init: firstState,
  next: nextAction,
  apply: applyResult,
};

function firstState({ h0, feedback, budgets }: UpdaterContext, settings: AceSettings): AceState {
  const count = aceBatchCount(budgets, feedback.length);
  return {
    version: 1,
    settings,
    batches: count > 0 ? dealBatches(feedback, count) : [],
    batch: 0,
    base: { revision: h0.digest, playbook: h0.files['playbook.md'] },
    playbook: h0.files['playbook.md'],
    nextId: 1,
    counters: {
      reflections: 0,
      reflectionsFailed: 0,
      curations: 0,
      curationsFailed: 0,
      operationsApplied: 0,
      operationsRefused: 0,
      tagsCounted: 0,
    },
    step:
      count > 0
        ? { kind: 'solve' }
        : { kind: 'finish', end: 'budget', reason: 'the budget allows no measured candidate' },
    retries: 0,
    exhausted: null,
    notes: [],
  };
}
