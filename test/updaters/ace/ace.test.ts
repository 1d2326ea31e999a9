import { describe, expect, it } from 'vitest';
import { utf8Length } from '../../../src/domain/utf8-length.ts';
import { aceUpdater } from '../../../src/updaters/ace/ace.ts';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { bulletsOf } from '../../../src/updaters/ace/playbook.ts';
import type { Action, CallModel } from '../../../src/updaters/step-machine.ts';
import { aceSearch, h0Digest, ofKind } from '../../support/ace-fixture.ts';
import { drive } from '../../support/scripted-engine.ts';

function kinds(actions: readonly Action[]): string[] {
  return actions.map((action) => {
    if (action.kind === 'batch') return `batch of ${action.actions.length}`;
    if (action.kind === 'call-model') return action.role;
    return action.kind === 'derive' ? action.function : action.kind;
  });
}

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

describe('an ACE search', () => {
  it('solves, reflects, counts, curates each task and submits, three times', () => {
    const { engine, start } = aceSearch();
    const { reason } = drive(aceUpdater, start, engine);
    const curated = ['curator', 'ace.apply-delta'];
    const batch = ['run-feedback', 'batch of 2', 'ace.apply-tags', ...curated, ...curated, 'submit'];
    expect(kinds(engine.actions)).toEqual([...batch, ...batch, ...batch]);
    expect(reason).toBe('all batches are done');
  });

  it('solves each batch with the candidate of the one before, H0 first', () => {
    const { engine, start } = aceSearch();
    drive(aceUpdater, start, engine);
    expect(ofKind(engine.actions, 'run-feedback').map(({ revision }) => revision)).toEqual([
      h0Digest,
      engine.candidates[0],
      engine.candidates[1],
    ]);
    expect(ofKind(engine.actions, 'submit').map(({ parent }) => parent)).toEqual([
      h0Digest,
      engine.candidates[0],
      engine.candidates[1],
    ]);
  });

  it('asks for one reflection and one curation per feedback task and never solves a task twice', () => {
    const { engine, start } = aceSearch({}, { perModality: 30 });
    drive(aceUpdater, start, engine);
    const roles = engine.prompts.map(({ role }) => role);
    expect(roles.filter((role) => role === 'reflector')).toHaveLength(90);
    expect(roles.filter((role) => role === 'curator')).toHaveLength(90);
    const solved = ofKind(engine.actions, 'run-feedback').map(({ taskIds }) => taskIds);
    expect(solved.map(({ length }) => length)).toEqual([30, 30, 30]);
    expect(new Set(solved.flat()).size).toBe(90);
    expect(engine.candidates).toHaveLength(3);
  });

  it('curates in task-id order', () => {
    const { engine, start } = aceSearch({}, { perModality: 4 });
    drive(aceUpdater, start, engine);
    const [first] = ofKind(engine.actions, 'run-feedback');
    const order = engine.prompts
      .filter(({ role }) => role === 'curator')
      .map(({ prompt }) => /Lesson of: Do (\S+)\./.exec(prompt)?.[1]);
    expect(order.slice(0, first?.taskIds.length)).toEqual([...(first?.taskIds ?? [])].toSorted());
  });

  it('reflects with the playbook that the batch was solved with', () => {
    const { engine, start } = aceSearch();
    drive(aceUpdater, start, engine);
    const reflectors = ofKind(engine.actions, 'batch').map(({ actions }) => actions as CallModel[]);
    const submitted = ofKind(engine.actions, 'submit').map(({ files }) => files['playbook.md']);
    expect(reflectors[1]?.map(({ refs }) => refs['playbook'])).toEqual([submitted[0], submitted[0]]);
    expect(reflectors[2]?.map(({ refs }) => refs['playbook'])).toEqual([submitted[1], submitted[1]]);
  });

  it('changes the playbook alone, and grows it with unique ids counted up over all batches', () => {
    const { engine, start } = aceSearch();
    const { state } = drive(aceUpdater, start, engine);
    for (const { files } of ofKind(engine.actions, 'submit')) expect(Object.keys(files)).toEqual(['playbook.md']);
    const bullets = bulletsOf(parsePlaybook(engine.text(state.playbook)));
    expect(bullets.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `sai-0000${number}`));
    expect(bullets[0]?.helpful).toBe(4);
    expect(state.counters).toEqual({
      reflections: 6,
      reflectionsFailed: 0,
      curations: 6,
      curationsFailed: 0,
      operationsApplied: 6,
      operationsRefused: 0,
      tagsCounted: 4,
    });
  });

  it('goes on with identical actions from its JSON state at every step', () => {
    const undisturbed = aceSearch();
    drive(aceUpdater, undisturbed.start, undisturbed.engine);
    const resumed = aceSearch();
    drive(aceUpdater, resumed.start, resumed.engine, copy);
    expect(resumed.engine.actions).toEqual(undisturbed.engine.actions);
    const { steps } = drive(aceUpdater, aceSearch().start, aceSearch().engine);
    for (let restart = 0; restart < steps; restart += 1) {
      const search = aceSearch();
      let step = 0;
      drive(aceUpdater, search.start, search.engine, (state) => {
        step += 1;
        return step === restart ? copy(state) : state;
      });
      expect(search.engine.actions).toEqual(undisturbed.engine.actions);
    }
  });

  it('gives the same action however often it is asked', () => {
    const { engine, start } = aceSearch();
    drive(aceUpdater, start, engine, (state) => {
      expect(aceUpdater.next(state)).toEqual(aceUpdater.next(copy(state)));
      return state;
    });
  });

  it('keeps its state under 32 KiB and actions under 16 KB with the ninety tasks of the protocol', () => {
    const { engine, start } = aceSearch({}, { perModality: 30 });
    drive(aceUpdater, start, engine, (state) => {
      expect(utf8Length(JSON.stringify(state))).toBeLessThan(32_768);
      expect(utf8Length(JSON.stringify(aceUpdater.next(state)))).toBeLessThan(16_384);
      expect(copy(state)).toEqual(state);
      return state;
    });
  });

  it.each([
    [{ candidates: 1 }, 1],
    [{ candidates: 2 }, 2],
    [{ selectionQueries: 2 }, 1],
    [{ candidates: 9, selectionQueries: 9 }, 3],
  ])('deals as many batches as %j lets it submit: %i', (budgets, submissions) => {
    const { engine, start } = aceSearch({ candidates: 9 }, { budgets });
    drive(aceUpdater, start, engine);
    expect(engine.candidates).toHaveLength(submissions);
    expect(ofKind(engine.actions, 'run-feedback').flatMap(({ taskIds }) => taskIds)).toHaveLength(6);
  });

  it.each([[{ candidates: 0 }], [{ selectionQueries: 1 }]])(
    'finishes at once when %j allows no measured candidate',
    (budgets) => {
      const { engine, start } = aceSearch({}, { budgets });
      expect(drive(aceUpdater, start, engine).reason).toBe('the budget allows no measured candidate');
      expect(engine.actions).toEqual([]);
    },
  );
});

describe('the ACE description', () => {
  it('edits the playbook and nothing else', () => {
    expect(aceUpdater.describe()).toMatchObject({
      name: 'ace',
      editableFiles: ['playbook.md'],
      defaults: { curatorOps: ['ADD'] },
    });
  });
});
