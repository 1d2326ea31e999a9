import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AttemptEnd } from '../../src/contract/activities.ts';
import type { GatewayPort } from '../../src/contract/gateway-port.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { type ScriptedRun, submitted, verdict } from '../support/memory-sandbox.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

const perform = (task = 'desk/d1'): Promise<AttemptEnd> => fixture.run('performAttempt', fixture.attempt(task));
const ended = (run: Partial<Extract<ScriptedRun, { kind: 'done' }>>): ScriptedRun => ({
  ...submitted,
  ...run,
});
const scored: AttemptEnd = { outcome: 'scored', solveAgain: 'no' };

/** A gateway that fails once, before or after it stored the effect whose key begins so. */
function failingOnce(prefix: string, when: 'before' | 'after'): GatewayPort {
  let failed = false;
  const { control } = fixture.gateway;
  return Object.assign(Object.create(control) as GatewayPort, {
    putEffect: async (effect: Parameters<GatewayPort['putEffect']>[0]) => {
      if (failed || !effect.key.startsWith(prefix)) return control.putEffect(effect);
      failed = true;
      if (when === 'after') await control.putEffect(effect);
      throw new Error('the worker was killed here');
    },
  });
}

describe('an attempt', () => {
  test('is run, judged and recorded once; the same again is reused and starts nothing', async () => {
    fixture.sandbox.judgement = () => verdict(0.75);
    expect(await perform()).toEqual(scored);
    expect(await perform()).toEqual(scored);
    fixture.restart();
    expect(await perform()).toEqual(scored);
    expect(fixture.sandbox.starts).toHaveLength(1);
    expect(fixture.sandbox.judged).toHaveLength(1);
    const [record, ...others] = await fixture.attempts();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      epoch: 1,
      split: 'feedback',
      outcome: { kind: 'scored', reward: 0.75 },
      simulated: true,
      world: 'no-transfer',
    });
  });

  test('gives the harness its revision, the instruction and the inputs, and nothing of the tests', async () => {
    await perform();
    const { sandbox } = fixture.sandbox.starts[0] ?? {};
    expect(sandbox?.workDirectory).toBe('/app');
    expect(sandbox?.inputs).toEqual([{ source: join(fixture.folder.root, 'tasks/d1/environment/inputs'), path: '.' }]);
    expect(JSON.stringify(sandbox)).not.toMatch(/tests|solution|replays/);
    expect(sandbox?.limits).toMatchObject({ wallMs: 45_000, elapsedMs: 0 });
  });

  test('leaves nothing of its sandbox behind once it is recorded', async () => {
    await perform();
    expect(existsSync(fixture.sandbox.starts[0]?.directory ?? '')).toBe(false);
  });

  test.each<[string, ScriptedRun, object]>([
    ['crashed', ended({ end: { kind: 'exited', code: 3 } }), { cause: 'crash', signature: 'exit 3' }],
    ['ran into the wall', ended({ end: { kind: 'wall_limit' }, outcome: null }), { cause: 'wall_limit' }],
    ['ran out of memory', ended({ end: { kind: 'out_of_memory' }, outcome: null }), { cause: 'out_of_memory' }],
    ['printed too much', ended({ end: { kind: 'output_limit' }, outcome: null }), { cause: 'output_limit' }],
    [
      'raised in the candidate',
      ended({ outcome: { exit_status: 'KeyError', exception_signature: 'KeyError at agent.py:run' } }),
      { cause: 'crash', signature: 'KeyError at agent.py:run' },
    ],
    ['said nothing', ended({ outcome: null }), { cause: 'no_submission' }],
    [
      'claims a submission that its keeper never saw',
      ended({ commands: ['{"n":1,"output":"x"}'] }),
      { cause: 'no_submission' },
    ],
    ['said no JSON', ended({ outcome: 'nonsense' }), { cause: 'no_submission' }],
  ])('that %s is judged all the same, as an agent error', async (_, run, expected) => {
    fixture.sandbox.run = () => run;
    fixture.sandbox.judgement = () => verdict(0.5);
    expect(await perform()).toEqual({ outcome: 'scored_with_agent_error', solveAgain: 'no' });
    expect((await fixture.attempts())[0]?.outcome).toMatchObject({
      kind: 'scored_with_agent_error',
      reward: 0.5,
      ...expected,
    });
  });

  test('stands in the sealed records unless it was made for feedback', async () => {
    await perform('desk/d1');
    await perform('desk/x1');
    await perform('desk/d2');
    const { records } = await fixture.gateway.control.listRecords({ experimentId: fixture.lock.id });
    const streams = records.flatMap(({ stream, body }) =>
      (body as { kind: string }).kind === 'attempt' ? [stream] : [],
    );
    expect(streams).toEqual(['open', 'sealed', 'sealed']);
  });

  test('of a task that was changed since it was frozen is refused, and tried again until that is restored', async () => {
    fixture.restart();
    fixture.folder.write({ 'tasks/d1/instruction.md': 'Do something else.\n' });
    await expect(perform()).rejects.toMatchObject({ type: 'ANL-2004', nonRetryable: false });
    expect(fixture.sandbox.starts).toEqual([]);
  });
});

describe('a worker that dies in the middle of an attempt', () => {
  test.each([
    ['WORKER_SHUTDOWN', { workerShutdown: true }],
    ['NOT_FOUND', { notFound: true }],
    ['TIMED_OUT', { timedOut: true }],
    ['PAUSED', { paused: true }],
  ] as const)(
    'by %s leaves the sandbox running, and the next one adopts it in the same epoch',
    async (reason, details) => {
      fixture.sandbox.run = () => 'hold';
      const environment = new MockActivityEnvironment();
      const first = fixture.run('performAttempt', fixture.attempt('desk/d1'), environment);
      await vi.waitFor(() => expect(fixture.sandbox.starts).toHaveLength(1));
      environment.cancel(reason, new ActivityCancellationDetails(details));
      await expect(first).rejects.toThrow(reason);
      expect(fixture.sandbox.stopped).toEqual([]);
      fixture.restart();
      const second = perform();
      await vi.waitFor(() => expect(fixture.sandbox.starts).toHaveLength(2));
      await fixture.sandbox.finish(fixture.sandbox.starts[0]?.directory ?? '', submitted);
      expect(await second).toEqual(scored);
      expect(fixture.sandbox.starts.map(({ result }) => result)).toEqual(['started', 'adopted']);
      const leases = fixture.sandbox.starts.map(({ sandbox }) => sandbox.lease?.token);
      expect(leases[0]).toBe(leases[1]);
      expect((await fixture.attempts()).map(({ epoch }) => epoch)).toEqual([1]);
    },
  );

  test.each([
    ['before the run was noted', 'run:', 'before', 1, 1],
    ['after the run was noted', 'run:', 'after', 1, 1],
    ['before the judgement was noted', 'judge:', 'before', 1, 2],
    ['after the judgement was noted', 'judge:', 'after', 1, 1],
    ['before the outcome was noted', 'canonical:', 'before', 1, 1],
    ['after the outcome was noted', 'canonical:', 'after', 1, 1],
    ['before the record was noted', 'recorded:', 'before', 1, 1],
    ['after the record was noted', 'recorded:', 'after', 1, 1],
  ] as const)('%s repeats nothing that was done', async (_, prefix, when, lives, judged) => {
    fixture.restart({ gateway: failingOnce(prefix, when) });
    await expect(perform()).rejects.toThrow('killed here');
    fixture.restart();
    expect(await perform()).toEqual(scored);
    expect(fixture.sandbox.starts.filter(({ result }) => result === 'started')).toHaveLength(lives);
    expect(fixture.sandbox.judged).toHaveLength(judged);
    expect(await fixture.attempts()).toHaveLength(1);
    expect(fixture.projected().filter(({ kind }) => kind === 'attempt')).toHaveLength(1);
    expect(fixture.sandbox.starts.filter(({ directory }) => existsSync(directory))).toEqual([]);
  });

  test.each([
    ['emptied', (file: string): void => writeFileSync(file, '')],
    ['taken away', (file: string): void => rmSync(file)],
  ])(
    'by a power cut that has %s an output judges nothing else in its place: the attempt is made again',
    async (_, cut) => {
      fixture.restart({ gateway: failingOnce('run:', 'before') });
      await expect(perform()).rejects.toThrow('killed here');
      cut(join(fixture.sandbox.starts[0]?.directory ?? '', 'out/work/out.txt'));
      fixture.restart();
      expect(await perform()).toEqual({ outcome: 'unscored_infra', solveAgain: 'counted' });
      expect(fixture.sandbox.judged).toEqual([]);
      expect(await perform()).toEqual(scored);
      expect((await fixture.attempts()).map(({ epoch }) => epoch)).toEqual([1, 2]);
    },
  );

  test.each([
    ['gone', (directory: string): void => rmSync(directory, { recursive: true })],
    ['emptied', (directory: string): void => writeFileSync(join(directory, 'out/work/out.txt'), '')],
  ])('judges from the stored outputs when the copied-out ones are %s', async (_, spoil) => {
    fixture.sandbox.judgement = () => Promise.reject(new Error('the worker was killed here'));
    await expect(perform()).rejects.toThrow('killed here');
    spoil(fixture.sandbox.starts[0]?.directory ?? '');
    fixture.restart();
    fixture.sandbox.judgement = (sandbox) => {
      const outputs = sandbox.mounts.find(({ target }) => target === '/app')?.source ?? '';
      return verdict(readFileSync(join(outputs, 'out.txt'), 'utf8') === 'right' ? 1 : 0);
    };
    expect(await perform()).toEqual(scored);
    expect((await fixture.attempts())[0]?.outcome).toMatchObject({ reward: 1 });
  });
});

describe('a lost sandbox', () => {
  test('is infrastructure and never judged', async () => {
    fixture.sandbox.run = () => ({ kind: 'lost', reason: 'keeper 7 is gone', elapsedMs: 12 });
    expect(await perform()).toEqual({ outcome: 'unscored_infra', solveAgain: 'counted' });
    expect(fixture.sandbox.judged).toEqual([]);
    expect((await fixture.attempts())[0]?.outcome).toMatchObject({
      kind: 'unscored_infra',
      phase: 'host',
      reason: 'keeper 7 is gone',
    });
    fixture.sandbox.run = () => submitted;
    await perform();
    expect(fixture.sandbox.starts.at(-1)?.sandbox).toMatchObject({ epoch: 2, limits: { elapsedMs: 12 } });
  });

  test('gives the next epoch the commands of the earlier ones, and only the first outcome counts', async () => {
    fixture.sandbox.run = (_, count) =>
      count < 3 ? ended({ end: { kind: 'start_failed', jail: 'task', reason: 'no space' } }) : submitted;
    const ends = [await perform(), await perform(), await perform(), await perform()];
    expect(ends.map(({ outcome }) => outcome)).toEqual(['unscored_infra', 'unscored_infra', 'scored', 'scored']);
    const { starts } = fixture.sandbox;
    expect(starts.map(({ sandbox }) => [sandbox.epoch, sandbox.replayLogs?.length])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(starts[2]?.sandbox.replayLogs).toEqual(
      starts.slice(0, 2).map(({ directory }) => join(directory, 'commands.jsonl')),
    );
    expect(new Set(starts.map(({ sandbox }) => sandbox.lease?.token)).size).toBe(3);
    expect((await fixture.attempts()).map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
    expect(starts.some(({ directory }) => existsSync(directory))).toBe(false);
  });

  test('that a person stopped does not count as a try', async () => {
    fixture.sandbox.run = () => ended({ end: { kind: 'stopped' }, outcome: null });
    expect(await perform()).toEqual({ outcome: 'unscored_infra', solveAgain: 'free' });
  });

  test('inherits the wall time that was used up', async () => {
    fixture.sandbox.run = (_, count) => (count === 1 ? ended({ end: { kind: 'stopped' }, outcome: null }) : submitted);
    await perform();
    await perform();
    expect(fixture.sandbox.starts.map(({ sandbox }) => sandbox.limits.elapsedMs)).toEqual([0, 10]);
  });
});

describe('a cancelled attempt', () => {
  test('stops its sandbox and closes its lease', async () => {
    fixture.sandbox.run = () => 'hold';
    const environment = new MockActivityEnvironment();
    const cancelled = fixture.run('performAttempt', fixture.attempt('desk/d1'), environment);
    await vi.waitFor(() => expect(fixture.sandbox.starts).toHaveLength(1));
    environment.cancel('CANCELLED');
    await expect(cancelled).rejects.toThrow('CANCELLED');
    expect(fixture.sandbox.stopped).toEqual([fixture.sandbox.starts[0]?.directory]);
    expect((await fixture.gateway.control.openLeases({ experimentId: fixture.lock.id })).leases).toEqual([]);
    expect(await fixture.attempts()).toEqual([]);
  });

  test('stops its judge', async () => {
    fixture.sandbox.judgement = () => new Promise<never>(() => {});
    const environment = new MockActivityEnvironment();
    const cancelled = fixture.run('performAttempt', fixture.attempt('desk/d1'), environment);
    await vi.waitFor(() => expect(fixture.sandbox.judged).toHaveLength(1));
    environment.cancel('CANCELLED');
    await expect(cancelled).rejects.toThrow('CANCELLED');
    expect(fixture.sandbox.stopped).toEqual([fixture.sandbox.judged[0]?.directory]);
  });

  test('may be taken up again later', async () => {
    fixture.sandbox.run = (_, count) => (count === 1 ? 'hold' : submitted);
    const environment = new MockActivityEnvironment();
    const cancelled = fixture.run('performAttempt', fixture.attempt('desk/d1'), environment);
    await vi.waitFor(() => expect(fixture.sandbox.starts).toHaveLength(1));
    environment.cancel('CANCELLED');
    await expect(cancelled).rejects.toThrow('CANCELLED');
    fixture.restart();
    expect(await perform()).toEqual({ outcome: 'unscored_infra', solveAgain: 'free' });
    expect(await perform()).toEqual(scored);
  });
});
