import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HarnessDigest, TaskId } from '../../../src/schema/ids.ts';
import { aceUpdater } from '../../../src/updaters/ace/ace.ts';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { bulletsOf } from '../../../src/updaters/ace/playbook.ts';
import type { Action, SingleAction, SingleResult } from '../../../src/updaters/step-machine.ts';
import { aceSearch, evidenceOf, h0Digest, ofKind } from '../../support/ace-fixture.ts';
import { drive } from '../../support/scripted-engine.ts';

describe('ACE when something fails', () => {
  const infra: SingleResult = { kind: 'infra-failed', retryable: false, why: 'provider down' };
  const isReflector = (action: SingleAction): boolean => action.kind === 'call-model' && action.role === 'reflector';
  const isCurator = (action: SingleAction): boolean => action.kind === 'call-model' && action.role === 'curator';

  /** Takes over the nth matching action (from 1). */
  function nth(match: (action: SingleAction) => boolean, wanted: number, result: SingleResult) {
    let count = 0;
    return (action: SingleAction): SingleResult | null => {
      if (!match(action)) return null;
      count += 1;
      return count === wanted ? result : null;
    };
  }

  const notes = (actions: readonly Action[]): string[] =>
    ofKind(actions, 'note').map(({ event, text }) => `${event}: ${text}`);

  it('goes on with the tasks that have evidence when a pass is partial', () => {
    const { engine, start } = aceSearch({ evidence: (taskId) => (taskId.endsWith('001') ? evidenceOf(taskId) : null) });
    drive(aceUpdater, start, engine);
    expect(engine.prompts.filter(({ role }) => role === 'reflector')).toHaveLength(3);
    expect(notes(engine.actions)).toContain('feedback-partial: 1 tasks with evidence, 1 without: not scored');
  });

  it('goes on with the next batch when no task of one has a score, and does not submit H0 again', () => {
    const { engine, start } = aceSearch({ evidence: () => null });
    const { reason } = drive(aceUpdater, start, engine);
    expect(engine.candidates).toEqual([]);
    expect(ofKind(engine.actions, 'run-feedback')).toHaveLength(3);
    expect(reason).toBe('all batches are done');
  });

  it('finishes when feedback is refused by the budget', () => {
    const refused: SingleResult = { kind: 'budget-refused', which: 'wall', remaining: 5 };
    const { engine, start } = aceSearch({ intercept: nth(({ kind }) => kind === 'run-feedback', 2, refused) });
    expect(drive(aceUpdater, start, engine).reason).toBe('feedback refused: wall');
    expect(engine.candidates).toHaveLength(1);
  });

  it('loses one task when its reflection fails', () => {
    const { engine, start } = aceSearch({ intercept: nth(isReflector, 1, infra) });
    const { state } = drive(aceUpdater, start, engine);
    expect(state.counters).toMatchObject({ reflections: 5, reflectionsFailed: 1, curations: 5 });
    expect(notes(engine.actions)).toEqual(['model-call-failed: reflection on pack/document-001: provider down']);
    expect(engine.candidates).toHaveLength(3);
  });

  it('loses one task when its curation fails', () => {
    const { engine, start } = aceSearch({
      intercept: nth(isCurator, 1, { kind: 'invalid', findings: [{ code: 'reply-empty', text: '' }] }),
    });
    const { state } = drive(aceUpdater, start, engine);
    expect(state.counters).toMatchObject({ curations: 5, curationsFailed: 1, operationsApplied: 5 });
    expect(engine.candidates).toHaveLength(3);
  });

  it('submits what it has when the token budget ends during curation, then finishes', () => {
    const refused: SingleResult = { kind: 'budget-refused', which: 'tokens', remaining: 10 };
    const { engine, start } = aceSearch({ intercept: nth(isCurator, 2, refused) });
    expect(drive(aceUpdater, start, engine).reason).toBe('updater budget refused: tokens');
    expect(engine.candidates).toHaveLength(1);
    expect(ofKind(engine.actions, 'run-feedback')).toHaveLength(1);
  });

  it('curates the reflections it paid for when the token budget ends during reflection', () => {
    const refused: SingleResult = { kind: 'budget-refused', which: 'tokens', remaining: 10 };
    const { engine, start } = aceSearch({ intercept: nth(isReflector, 2, refused) });
    const { state } = drive(aceUpdater, start, engine);
    expect(state.counters).toMatchObject({ reflections: 1, curations: 1 });
    expect(engine.candidates).toHaveLength(1);
  });

  it('does not submit a playbook that is as it was', () => {
    const { engine, start } = aceSearch({ intercept: (action) => (isCurator(action) ? infra : null) });
    drive(aceUpdater, start, engine);
    expect(engine.candidates).toEqual([]);
    expect(notes(engine.actions).filter((text) => text.startsWith('submission-skipped'))).toHaveLength(3);
  });

  it('does not build on a revision that fails its checks', () => {
    const invalid: SingleResult = { kind: 'invalid', findings: [{ code: 'gate', text: 'too large' }] };
    const { engine, start } = aceSearch({ intercept: nth(({ kind }) => kind === 'submit', 1, invalid) });
    drive(aceUpdater, start, engine);
    const [, second] = ofKind(engine.actions, 'submit');
    expect(second?.parent).toBe(h0Digest);
    const file = second?.files['playbook.md'];
    expect(file && bulletsOf(parsePlaybook(engine.text(file)))).toHaveLength(2);
    expect(ofKind(engine.actions, 'run-feedback')[1]?.revision).toBe(h0Digest);
    expect(engine.candidates).toHaveLength(2);
  });

  const passing: SingleResult = { ...infra, retryable: true };

  it.each<[string, (action: SingleAction) => boolean]>([
    ['a feedback pass', ({ kind }) => kind === 'run-feedback'],
    ['a reflection', isReflector],
    ['a curation', isCurator],
    ['a derivation', ({ kind }) => kind === 'derive'],
    ['a submission', ({ kind }) => kind === 'submit'],
  ])('ends with the same playbook when infrastructure failed %s for a moment', (_, match) => {
    const undisturbed = aceSearch();
    const disturbed = aceSearch({ intercept: nth(match, 1, passing) });
    const expected = drive(aceUpdater, undisturbed.start, undisturbed.engine).state;
    const { state } = drive(aceUpdater, disturbed.start, disturbed.engine);
    expect(state).toEqual(expected);
    expect(disturbed.engine.candidates).toEqual(undisturbed.engine.candidates);
  });

  it('does not ask for ever', () => {
    const { engine, start } = aceSearch({ intercept: (action) => (isCurator(action) ? passing : null) });
    const { state } = drive(aceUpdater, start, engine);
    expect(state.counters).toMatchObject({ curations: 0, curationsFailed: 6 });
    expect(ofKind(engine.actions, 'call-model')).toHaveLength(6 + 3 * 3);
  });

  it('carries its rules to the next batch when a submission is lost for good', () => {
    const { engine, start } = aceSearch({ intercept: nth(({ kind }) => kind === 'submit', 1, infra) });
    drive(aceUpdater, start, engine);
    const file = ofKind(engine.actions, 'submit')[1]?.files['playbook.md'];
    expect(file && bulletsOf(parsePlaybook(engine.text(file)))).toHaveLength(4);
    expect(ofKind(engine.actions, 'run-feedback')[1]?.revision).toBe(h0Digest);
  });

  it.each(['candidates', 'queries', 'wall'] as const)('finishes when a submission is refused for %s', (which) => {
    const refused: SingleResult = { kind: 'budget-refused', which, remaining: 0 };
    const { engine, start } = aceSearch({ intercept: nth(({ kind }) => kind === 'submit', 2, refused) });
    expect(drive(aceUpdater, start, engine).reason).toBe(`submission refused: ${which}`);
    expect(engine.candidates).toHaveLength(1);
  });

  it('builds on a candidate that was committed but not evaluated', () => {
    const revision = HarnessDigest.parse('9'.repeat(64));
    const committed: SingleResult = {
      kind: 'ok',
      value: { kind: 'submitted', revision, repeated: false, selection: { kind: 'not-evaluated', why: '29 of 30' } },
    };
    const { engine, start } = aceSearch({ intercept: nth(({ kind }) => kind === 'submit', 1, committed) });
    drive(aceUpdater, start, engine);
    expect(ofKind(engine.actions, 'run-feedback')[1]?.revision).toBe(revision);
  });

  it('keeps the playbook when a derivation fails', () => {
    const { engine, start } = aceSearch({ intercept: (action) => (action.kind === 'derive' ? infra : null) });
    const { state } = drive(aceUpdater, start, engine);
    expect(state.playbook).toEqual(start.playbook);
    expect(engine.candidates).toEqual([]);
  });

  it('ends, never throws, and keeps its state small, whatever results it is given', () => {
    const ref = { sha256: 'a'.repeat(64), bytes: 3 } as never;
    const result: fc.Arbitrary<SingleResult> = fc.oneof(
      fc.constant<SingleResult>({ kind: 'ok', value: null }),
      fc.constant<SingleResult>(infra),
      fc.constant<SingleResult>({ ...infra, retryable: true }),
      fc.constant<SingleResult>({ kind: 'invalid', findings: [] }),
      fc
        .constantFrom('tokens', 'wall', 'queries')
        .map((which): SingleResult => ({ kind: 'budget-refused', which: which as 'wall', remaining: 0 })),
      fc.constant<SingleResult>({
        kind: 'ok',
        value: { kind: 'derived', refs: {}, value: { nextId: 'x' }, findings: [] },
      }),
      fc.constant<SingleResult>({
        kind: 'ok',
        value: { kind: 'model-reply', text: ref, parsed: ref, finishReason: 'stop', tokensCharged: 1, findings: [] },
      }),
      fc.constant<SingleResult>({
        kind: 'partial',
        done: { kind: 'feedback-pass', revision: h0Digest, evidence: [{ taskId: TaskId.parse('p/a'), evidence: ref }] },
        missing: [],
        why: 'x'.repeat(2_000),
      }),
    );
    fc.assert(
      fc.property(fc.infiniteStream(result), fc.infiniteStream(fc.boolean()), (results, fits) => {
        const { engine, start } = aceSearch({
          intercept: () => (fits.next().value ? null : (results.next().value ?? null)),
          reply: () => '{"key_insight": "k", "operations": []}',
        });
        const performer = {
          perform: (action: Action) => {
            try {
              return engine.perform(action);
            } catch {
              return infra; // a reference that a made-up result named
            }
          },
        };
        drive(aceUpdater, start, performer, (state) => {
          expect(JSON.stringify(state).length).toBeLessThan(32_768);
          return state;
        });
      }),
      { numRuns: 200 },
    );
  });
});
