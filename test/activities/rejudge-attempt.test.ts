import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GatewayPort } from '../../src/contract/gateway-port.ts';
import { canonicalAttempts } from '../../src/domain/canonical-attempts.ts';
import { digestOf } from '../support/lock-builder.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { type ScriptedJudge, verdict } from '../support/memory-sandbox.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
  fixture.sandbox.judgement = () => silent;
});

afterEach(() => fixture.remove());

const silent: ScriptedJudge = { end: { kind: 'exited', code: 1 }, rewardText: null, reportText: null };

async function again(judgement: number): Promise<string> {
  const [attempt] = await fixture.attempts();
  if (attempt === undefined) throw new Error('no attempt');
  const { key, epoch } = attempt;
  const input = { experimentId: fixture.lock.id, key, epoch, judgement };
  return (await fixture.run('rejudgeAttempt', input)).outcome;
}

/** A gateway that no effect reaches whose key begins so. */
function killedBefore(prefix: string): GatewayPort {
  const { control } = fixture.gateway;
  return Object.assign(Object.create(control) as GatewayPort, {
    putEffect: async (effect: Parameters<GatewayPort['putEffect']>[0]) => {
      if (effect.key.startsWith(prefix)) throw new Error('the worker was killed here');
      return control.putEffect(effect);
    },
  });
}

const perform = () => fixture.run('performAttempt', fixture.attempt('desk/d1'));

describe('an attempt whose judge failed', () => {
  test('is judged again from what it left, never solved again, and the failed judgement stays on record', async () => {
    await perform();
    const before = await fixture.attempts();
    fixture.sandbox.judgement = ({ mounts }) => verdict(mounts[0]?.source.endsWith('rebuilt') === true ? 0.7 : 0);
    expect(await again(2)).toBe('scored');
    expect(fixture.sandbox.starts).toHaveLength(1);
    expect(await fixture.attempts()).toEqual(before);
    const records = await fixture.records();
    expect(records.filter(({ kind }) => kind === 'judgement')).toMatchObject([
      { judgement: 2, outcome: { kind: 'scored', reward: 0.7 }, judged: { delivered: true } },
    ]);
    expect(canonicalAttempts(records).all).toMatchObject([{ outcome: { kind: 'scored', reward: 0.7 } }]);
    expect(await perform()).toEqual({ outcome: 'scored', solveAgain: 'no' });
  });

  test('is judged by what was stored of it, also where its folder was half removed when the worker died', async () => {
    await perform();
    const directory = fixture.sandbox.starts[0]?.directory ?? '';
    mkdirSync(join(directory, 'out', 'work'), { recursive: true });
    fixture.sandbox.judgement = ({ mounts }) => verdict(existsSync(join(mounts[0]?.source ?? '', 'out.txt')) ? 0.7 : 0);
    expect(await again(2)).toBe('scored');
    expect(canonicalAttempts(await fixture.records()).all).toMatchObject([{ outcome: { reward: 0.7 } }]);
  });

  test('may fail again, and the next judgement has the next number', async () => {
    await perform();
    expect(await again(2)).toBe('unscored_infra');
    fixture.sandbox.judgement = () => verdict(1);
    expect(await again(3)).toBe('scored');
    const judgements = (await fixture.records()).filter((record) => record.kind === 'judgement');
    expect(judgements.map(({ judgement, outcome }) => [judgement, outcome.kind])).toEqual([
      [2, 'unscored_infra'],
      [3, 'scored'],
    ]);
  });

  test('gives the recorded judgement when the same one is asked for twice', async () => {
    await perform();
    expect(await again(2)).toBe('unscored_infra');
    const judged = fixture.sandbox.judged.length;
    fixture.sandbox.judgement = () => verdict(1);
    expect(await again(2)).toBe('unscored_infra');
    expect(fixture.sandbox.judged).toHaveLength(judged);
    expect((await fixture.records()).filter(({ kind }) => kind === 'judgement')).toHaveLength(1);
  });

  test('keeps its score for good and leaves no folder, also where the worker died right behind the judgement', async () => {
    await perform();
    fixture.sandbox.judgement = () => verdict(0.7);
    fixture.restart({ gateway: killedBefore('canonical:') });
    await expect(again(2)).rejects.toThrow('killed here');
    fixture.restart();
    expect(await again(2)).toBe('scored');
    expect(fixture.sandbox.judged).toHaveLength(3);
    expect(existsSync(fixture.sandbox.starts[0]?.directory ?? '')).toBe(false);
    expect(await perform()).toEqual({ outcome: 'scored', solveAgain: 'no' });
  });

  test('is not judged by other judges than the frozen ones', async () => {
    await perform();
    fixture.restart({
      programDigests: { ...fixture.dependencies().programDigests, judges: () => digestOf('other judges') },
    });
    await expect(again(2)).rejects.toThrow(/ANL-2004/);
    expect((await fixture.records()).filter(({ kind }) => kind === 'judgement')).toEqual([]);
  });
});

test('an attempt with a score is not judged again', async () => {
  fixture.sandbox.judgement = () => verdict(0.5);
  await perform();
  fixture.sandbox.judgement = () => verdict(1);
  expect(await again(2)).toBe('scored');
  expect(fixture.sandbox.judged).toHaveLength(1);
  expect((await fixture.attempts())[0]?.outcome).toMatchObject({ reward: 0.5 });
});

test('a judgement of a selection task is sealed until the experiment is closed, and opens with it', async () => {
  await fixture.run('performAttempt', fixture.attempt('desk/x1'));
  fixture.sandbox.judgement = () => verdict(1);
  await again(2);
  const { experimentId } = fixture.attempt('desk/x1');
  const { records } = await fixture.gateway.control.listRecords({ experimentId });
  const split = (await fixture.attempts())[0]?.split;
  expect(records.find(({ key }) => key.startsWith('judgement/'))?.stream).toBe(
    split === 'feedback' ? 'open' : 'sealed',
  );
});
