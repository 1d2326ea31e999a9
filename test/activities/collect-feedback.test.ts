import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import { FeedbackEvidence } from '../../src/schema/evidence.ts';
import { ArmName, TaskId } from '../../src/schema/ids.ts';
import type { Criterion } from '../../src/schema/judgement.ts';
import type { FeedbackResult } from '../../src/updaters/step-machine.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { verdict } from '../support/memory-sandbox.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

const criterion: Criterion = {
  id: 'total',
  text: 'The total is right',
  kind: 'semantic',
  weight: 1,
  category: 'facts',
  required: true,
  status: 'fail',
  earned: 0,
  observed: 'the sheet says 12',
  expected: 'SEALED-4711',
};

const collect = (...tasks: string[]): Promise<FeedbackResult> =>
  fixture.run('collectFeedback', {
    experimentId: fixture.lock.id,
    arm: ArmName.parse('ace'),
    revision: fixture.plan.h0,
    taskIds: tasks.map((task) => TaskId.parse(task)),
    replicate: 0,
  });

const perform = (task: string) => fixture.run('performAttempt', fixture.attempt(task));

async function evidence(result: FeedbackResult): Promise<FeedbackEvidence[]> {
  const done = result.kind === 'ok' ? result.value : result.kind === 'partial' ? result.done : null;
  const blobs = new BlobStore(fixture.folder.home.blobs);
  return Promise.all(
    (done?.evidence ?? []).map(async (each) => FeedbackEvidence.parse(await blobs.getJson(each.evidence.sha256))),
  );
}

describe('the evidence of a feedback pass', () => {
  test('tells what was asked, seen and scored, and never what was expected', async () => {
    fixture.sandbox.judgement = () => verdict(0.25, { criteria: [criterion] });
    await perform('desk/d1');
    const result = await collect('desk/d1');
    expect(result.kind).toBe('ok');
    const [document] = await evidence(result);
    expect(document).toMatchObject({
      taskId: 'desk/d1',
      instruction: 'Write the figures of d1 to out.txt.\n',
      inputs: ['in.txt'],
      points: 25,
      diagnostics: [{ id: 'total', status: 'fail', observed: 'the sheet says 12' }],
    });
    expect(JSON.stringify(document)).not.toContain('SEALED');
  });

  test('loses sealed text that a harness got hold of, and the loss is told once', async () => {
    const [canary = ''] = await fixture.dependencies().experiments.canaries(fixture.lock.id);
    fixture.sandbox.judgement = () => verdict(0, { criteria: [{ ...criterion, observed: `it says ${canary}` }] });
    await perform('desk/d1');
    await collect('desk/d1');
    const [document] = await evidence(await collect('desk/d1'));
    expect(JSON.stringify(document)).not.toContain(canary);
    const told = (await fixture.records()).filter(
      (record) => record.kind === 'decision' && record.event === 'sealed-text-removed',
    );
    expect(told).toHaveLength(1);
  });

  test('is partial where infrastructure failed, and says what is missing', async () => {
    await perform('desk/d1');
    fixture.sandbox.run = () => ({ kind: 'lost', reason: 'gone', elapsedMs: 0 });
    await perform('desk/p1');
    const result = await collect('desk/p1', 'desk/d1');
    expect(result).toMatchObject({ kind: 'partial', missing: ['desk/p1'], why: '1 of 2 attempts have no score' });
    expect((await evidence(result)).map(({ taskId }) => taskId)).toEqual(['desk/d1']);
  });

  test('comes in task order, whatever the order of the attempts', async () => {
    await perform('desk/p1');
    await perform('desk/d1');
    expect((await evidence(await collect('desk/p1', 'desk/d1'))).map(({ taskId }) => taskId)).toEqual([
      'desk/d1',
      'desk/p1',
    ]);
  });

  test('holds outputs that killed the judge as well, as a delivery that failed', async () => {
    fixture.sandbox.judgement = ({ mounts }) =>
      mounts[0]?.source.endsWith('empty') === true
        ? verdict(0)
        : { end: { kind: 'out_of_memory' }, rewardText: null, reportText: null };
    await perform('desk/d1');
    const result = await collect('desk/d1');
    expect(result.kind).toBe('ok');
    expect((await evidence(result))[0]).toMatchObject({
      points: 0,
      deliveryFaults: [{ file: 'out.txt', fault: 'unreadable' }],
    });
  });

  test('of a selection or final task is refused for good', async () => {
    await perform('desk/x1');
    await expect(collect('desk/x1')).rejects.toMatchObject({ type: 'ANL-6009', nonRetryable: true });
  });
});
