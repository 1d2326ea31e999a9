import type { Activities } from '../src/contract/activities.ts';
import { leakTermsOf } from '../src/domain/leak-terms.ts';
import type { Refs } from '../src/updaters/step-machine.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { feedbackLintTasks } from './feedback-lint-tasks.ts';
import { recordDisclosure } from './record-disclosure.ts';
import type { RecordStore } from './record-store.ts';

/** Run a named pure function over blobs and store what it makes. */
export function derive(dependencies: ActivityDependencies, records: RecordStore): Activities['derive'] {
  const { blobs, deriveFunctions, experiments, clock } = dependencies;
  return async ({ experimentId, arm, action }) => {
    const run = deriveFunctions[action.function];
    if (run === undefined) {
      return { kind: 'invalid', findings: [{ code: 'function-unknown', text: action.function }] };
    }
    const outcome = run({
      texts: await readTexts(dependencies, action.refs),
      parameters: action.parameters,
      leakTerms: leakTermsOf(await feedbackLintTasks(dependencies, records, experimentId)),
    });
    if (outcome.kind === 'invalid') return outcome;
    const refs: Record<string, Refs[string]> = {};
    for (const [name, text] of Object.entries(outcome.texts)) refs[name] = await blobs.put(text);
    const items = Object.values(refs).map(
      ({ sha256 }) => ({ content: 'derived', attempt: null, blob: sha256 }) as const,
    );
    await recordDisclosure(records, await experiments.lock(experimentId), clock(), { arm, items });
    return { kind: 'ok', value: { kind: 'derived', refs, value: outcome.value, findings: outcome.findings } };
  };
}

/** Contents behind named references. */
export async function readTexts(
  { blobs }: Pick<ActivityDependencies, 'blobs'>,
  refs: Refs,
): Promise<Record<string, string>> {
  const entries = await Promise.all(
    Object.entries(refs).map(async ([name, ref]) => [name, await blobs.getText(ref.sha256)] as const),
  );
  return Object.fromEntries(entries);
}
