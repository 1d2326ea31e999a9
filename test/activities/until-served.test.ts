import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptEnd } from '../../src/contract/activities.ts';
import type { Halt } from '../../src/schema/halt.ts';
import { experimentRegistration } from '../../src/schema/experiment-registration.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { replaced, validExperiment } from '../support/experiment-files.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

const halt: Halt = { role: 'solver', kind: 'key_refused', reason: '401', setting: null, since: 5, until: null };
const eventually = { timeout: 20_000, interval: 20 };
const perform = (): Promise<AttemptEnd> => fixture.run('performAttempt', fixture.attempt('desk/d1'));
const lift = (): Promise<unknown> => fixture.gateway.control.registerExperiment(experimentRegistration(fixture.lock));
const holds = async (): Promise<string[]> =>
  (await fixture.records()).flatMap((record) =>
    record.kind === 'decision' && record.event.startsWith('experiment-') ? [record.event] : [],
  );

describe('a halted model', () => {
  test('starts no sandbox, records no attempt, and the attempt is made once it is lifted', async () => {
    fixture.gateway.ledger.haltRole(fixture.lock.id, halt);
    expect(await perform()).toMatchObject({ solveAgain: 'halted', haltKind: 'key_refused' });
    expect(fixture.sandbox.starts).toEqual([]);
    expect(await fixture.attempts()).toEqual([]);
    await lift();
    expect(await perform()).toEqual({ outcome: 'scored', solveAgain: 'no' });
    expect((await fixture.attempts()).map(({ epoch }) => epoch)).toEqual([1]);
  });

  test('is waited for until it is lifted; beginning and end are on record once, however many wait', async () => {
    fixture.gateway.ledger.haltRole(fixture.lock.id, halt);
    const waiting = [1, 2].map(() => fixture.run('untilServed', { experimentId: fixture.lock.id, role: 'solver' }));
    await expect.poll(holds, eventually).toEqual(['experiment-held']);
    await lift();
    await Promise.all(waiting);
    expect(await holds()).toEqual(['experiment-held', 'experiment-released']);
  });

  test('whose end another worker did not see is released on record by the next one', async () => {
    fixture.gateway.ledger.haltRole(fixture.lock.id, halt);
    const lost = fixture.run('untilServed', { experimentId: fixture.lock.id, role: 'solver' });
    await expect.poll(holds, eventually).toHaveLength(1);
    await lift();
    await lost;
    fixture.gateway.ledger.haltRole(fixture.lock.id, { ...halt, since: 9 });
    void fixture.run('untilServed', { experimentId: fixture.lock.id, role: 'solver' }).catch(() => {});
    await expect.poll(holds, eventually).toHaveLength(3);
    await lift();
    fixture.restart();
    await fixture.run('untilServed', { experimentId: fixture.lock.id, role: 'solver' });
    expect(await holds()).toEqual(['experiment-held', 'experiment-released', 'experiment-held', 'experiment-released']);
  });

  test('is not waited for where it is served', async () => {
    await fixture.run('untilServed', { experimentId: fixture.lock.id, role: 'solver' });
    expect(await holds()).toEqual([]);
  });
});

describe('a task that changes under a running experiment', () => {
  test('starts nothing, is told and tried again, and goes on once it is restored', async () => {
    const path = 'tasks/d1/environment/inputs/in.txt';
    expect(await fixture.run('performAttempt', fixture.attempt('desk/d1', { replicate: 1 }))).toMatchObject({
      outcome: 'scored',
    });
    fixture.folder.write({ [path]: replaced(validExperiment, path, 'figures', 'Figures')[path] ?? '' });
    await expect(perform()).rejects.toMatchObject({
      type: 'ANL-2004',
      nonRetryable: false,
      details: [{ next: expect.stringContaining('goes on by itself') as string }],
    });
    expect(fixture.sandbox.starts).toHaveLength(1);
    fixture.folder.write({ [path]: validExperiment[path] ?? '' });
    expect(await perform()).toMatchObject({ outcome: 'scored' });
  });
});
