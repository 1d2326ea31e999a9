import type { Activities } from '../../src/contract/activities.ts';
import { FeedbackEvidence } from '../../src/schema/evidence.ts';
import { Category } from '../../src/schema/judgement.ts';
import type { TaskEvidence } from '../../src/updaters/step-machine.ts';
import type { WorldLab } from '../support/world-lab.ts';

/** Places by which categories are moved on: every category that goes wrong in the built-in pack becomes one that does not. */
const places = 3;

/**
 * The effects of a lab, but for experiments whose name ends in `-shuffled`: there the updater is told of every failed
 * check that it is about something else.
 */
export function shuffleDiagnostics(activities: Activities, lab: WorldLab): Activities {
  const shuffled = async (entry: TaskEvidence): Promise<TaskEvidence> => {
    const text = new TextDecoder().decode(await lab.blobs.get(entry.evidence.sha256));
    const evidence = FeedbackEvidence.parse(JSON.parse(text));
    const diagnostics = evidence.diagnostics.map((one) => ({ ...one, category: moved(one.category) }));
    return { ...entry, evidence: await lab.blobs.putJson({ ...evidence, diagnostics }) };
  };
  return {
    ...activities,
    collectFeedback: async (input) => {
      const result = await activities.collectFeedback(input);
      if (result.kind !== 'ok' || !(await lab.nameOf(input.experimentId)).endsWith('-shuffled')) return result;
      return {
        ...result,
        value: { ...result.value, evidence: await Promise.all(result.value.evidence.map(shuffled)) },
      };
    },
  };
}

function moved(category: Category): Category {
  const { options } = Category;
  return options[(options.indexOf(category) + places) % options.length] ?? category;
}
