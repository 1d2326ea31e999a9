import { assertNever } from '../../domain/assert-never.ts';
import type { Action, CallModel, Refs, TaskEvidence } from '../step-machine.ts';
import type { AceState, Reflected } from './state.ts';

/** Reflections asked for at once; keeps actions and results under their 16 KB. */
export const reflectionsAtOnce = 24;

/** The action that the state waits for. */
export function nextAction(state: AceState): Action {
  const [note] = state.notes;
  if (note !== undefined) return { kind: 'note', event: note.code, text: note.text };
  const { step } = state;
  switch (step.kind) {
    case 'solve':
      return {
        kind: 'run-feedback',
        revision: state.base.revision,
        taskIds: state.batches[state.batch] ?? [],
        replicate: 0,
      };
    case 'reflect':
      return { kind: 'batch', actions: step.pending.slice(0, reflectionsAtOnce).map((task) => reflector(state, task)) };
    case 'tag':
      return {
        kind: 'derive',
        function: 'ace.apply-tags',
        refs: { playbook: state.playbook, ...reflectionRefs(step.queue) },
        parameters: { playbookBytes: state.settings.playbookBytes },
      };
    case 'curate':
      return curator(state, step.queue);
    case 'apply-delta':
      return {
        kind: 'derive',
        function: 'ace.apply-delta',
        refs: { playbook: state.playbook, curation: step.curation },
        parameters: { ...state.settings, nextId: state.nextId },
      };
    case 'submit':
      return {
        kind: 'submit',
        files: { 'playbook.md': state.playbook },
        parent: state.base.revision,
        manifest: null,
      };
    case 'finish':
      return { kind: 'finish', end: step.end, reason: step.reason };
    default:
      return assertNever(step);
  }
}

/** The playbook shown is the one the task was solved with. */
function reflector({ base }: AceState, { evidence }: TaskEvidence): CallModel {
  return {
    kind: 'call-model',
    role: 'reflector',
    templateId: 'ace.reflector/1',
    refs: { evidence, playbook: base.playbook },
    parameters: {},
    schemaId: 'ace.reflection/1',
  };
}

function curator({ playbook, settings, batches, counters }: AceState, queue: readonly Reflected[]): CallModel {
  const [current] = queue;
  return {
    kind: 'call-model',
    role: 'curator',
    templateId: 'ace.curator/1',
    refs: { playbook, ...(current === undefined ? {} : { reflection: current.reflection }) },
    parameters: {
      ...settings,
      step: counters.curations + counters.curationsFailed + 1,
      steps: batches.reduce((sum, batch) => sum + batch.length, 0),
    },
    schemaId: 'ace.curation/1',
  };
}

/** `reflection-000`, `reflection-001`, …: names that sort in task order. */
function reflectionRefs(queue: readonly Reflected[]): Refs {
  return Object.fromEntries(
    queue.map(({ reflection }, index) => [`reflection-${String(index).padStart(3, '0')}`, reflection]),
  );
}
