import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptEnd } from '../../src/contract/activities.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { digestOf } from '../support/lock-builder.ts';
import { type ScriptedJudge, verdict } from '../support/memory-sandbox.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

const perform = (): Promise<AttemptEnd> => fixture.run('performAttempt', fixture.attempt('desk/d1'));
const silent: ScriptedJudge = { end: { kind: 'exited', code: 1 }, rewardText: null, reportText: null };
const killed: ScriptedJudge = { end: { kind: 'wall_limit' }, rewardText: null, reportText: null };
const scored: AttemptEnd = { outcome: 'scored', solveAgain: 'no' };

describe('what an attempt runs under', () => {
  test.each(['runner', 'environments'] as const)(
    'is the frozen %s: under another one nothing starts and nothing is paid, and the attempt is made once it is back',
    async (program) => {
      const { programDigests } = fixture.dependencies();
      fixture.restart({ programDigests: { ...programDigests, [program]: () => digestOf('another') } });
      await expect(perform()).rejects.toMatchObject({ type: 'ANL-2004', nonRetryable: false });
      expect(fixture.sandbox.starts).toHaveLength(0);
      expect((await fixture.gateway.control.openLeases({ experimentId: fixture.lock.id })).leases).toEqual([]);
      fixture.restart({});
      expect(await perform()).toEqual(scored);
    },
  );
});

describe('a judge', () => {
  test('that fails twice leaves the attempt unscored, to be rejudged and never solved again', async () => {
    fixture.sandbox.judgement = () => silent;
    expect(await perform()).toEqual({ outcome: 'unscored_infra', solveAgain: 'no' });
    expect(fixture.sandbox.judged.map(({ directory }) => directory.split('/').at(-1))).toEqual(['judge-1', 'judge-2']);
    expect(fixture.sandbox.starts).toHaveLength(1);
    expect((await fixture.attempts())[0]?.outcome).toMatchObject({ kind: 'unscored_infra', phase: 'judge' });
  });

  test('that is not the frozen one judges nothing, and the attempt goes on where it stood once it is back', async () => {
    fixture.restart({
      programDigests: { ...fixture.dependencies().programDigests, judges: () => digestOf('other judges') },
    });
    await expect(perform()).rejects.toMatchObject({ type: 'ANL-2004' });
    expect(fixture.sandbox.judged).toHaveLength(0);
    fixture.restart({});
    expect(await perform()).toEqual(scored);
    expect(fixture.sandbox.starts).toHaveLength(1);
  });

  test('that fails once is asked once more', async () => {
    fixture.sandbox.judgement = (_, count) => (count === 1 ? silent : verdict(1));
    expect(await perform()).toEqual(scored);
    expect(fixture.sandbox.judged).toHaveLength(2);
  });

  test('that the output kills twice, while it judges an empty delivery, gives the output 0', async () => {
    fixture.sandbox.judgement = ({ mounts }) => (mounts[0]?.source.endsWith('empty') === true ? verdict(0) : killed);
    expect(await perform()).toEqual(scored);
    const [record] = await fixture.attempts();
    expect(record).toMatchObject({
      outcome: { kind: 'scored', reward: 0 },
      judged: { delivered: false, strict: false },
    });
    expect(fixture.sandbox.judged.map(({ directory }) => directory.split('/').at(-1))).toEqual([
      'judge-1',
      'judge-2',
      'judge-control',
    ]);
  });

  test('that dies on an empty delivery too is broken itself: the output is not blamed', async () => {
    fixture.sandbox.judgement = () => killed;
    expect(await perform()).toEqual({ outcome: 'unscored_infra', solveAgain: 'no' });
    expect((await fixture.attempts())[0]?.outcome).toMatchObject({ phase: 'judge' });
  });

  test.each<[string, ScriptedJudge]>([
    ['whose two numbers differ', { ...verdict(1), rewardText: '0.5' }],
    ['without a report', { ...verdict(1), reportText: null }],
    ['whose report is no report', { ...verdict(1), reportText: '{"reward":1}' }],
    ['whose number is none', { ...verdict(1), rewardText: 'NaN' }],
    ['that printed nothing', { ...verdict(1), rewardText: ' \n' }],
  ])('%s is not believed', async (_, judgement) => {
    fixture.sandbox.judgement = () => judgement;
    expect(await perform()).toEqual({ outcome: 'unscored_infra', solveAgain: 'no' });
  });

  test('sees the outputs, the tests and the judges, in a jail of its own', async () => {
    await perform();
    const { mounts, limits } = fixture.sandbox.judged[0]?.sandbox ?? {};
    expect(mounts?.map(({ target, how }) => [target, how])).toEqual([
      ['/app', 'copy'],
      ['/tests', 'copy'],
      ['/opt/judges', 'copy'],
      ['/opt/solver', 'bind'],
    ]);
    expect(limits?.wallMs).toBe(20_000);
  });
});
