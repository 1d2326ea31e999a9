import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RecordStore } from '../../activities/record-store.ts';
import { experimentDirectory } from '../../src/services/data-home/experiment-directory.ts';
import { isExperimentClosed } from '../../src/services/data-home/experiment-closed.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';

let fixture: ActivityFixture;

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

const decide = (id: string): Promise<void> =>
  fixture.run('recordDecision', {
    experimentId: fixture.lock.id,
    id,
    arm: null,
    event: 'phase-started',
    reason: id,
    figures: { n: 1 },
  });
const report = (): Promise<void> => fixture.run('writeReport', { experimentId: fixture.lock.id, ended: 'complete' });
const directory = () => experimentDirectory(fixture.folder.home, fixture.lock.id);
const reasons = (): string[] =>
  fixture.projected().flatMap((record) => (record.kind === 'decision' ? [record.reason] : []));

describe('a record', () => {
  test('is appended once under its id, also by many at the same time and after a restart', async () => {
    await Promise.all([decide('a'), decide('a'), decide('b'), decide('a')]);
    fixture.restart();
    await decide('b');
    expect(reasons().toSorted()).toEqual(['a', 'b']);
  });

  test('carries what cannot be turned off', async () => {
    await decide('a');
    for (const record of fixture.projected()) {
      expect(record).toMatchObject({ version: 1, experiment: fixture.lock.id, simulated: true, world: 'no-transfer' });
    }
  });
});

describe('the record files', () => {
  test('are made whole after a worker was killed in the middle of a line', async () => {
    await decide('a');
    appendFileSync(join(directory().records, 'decisions.jsonl'), '{"seq":9,"kind":"deci');
    fixture.restart();
    await decide('b');
    expect(reasons()).toEqual(['a', 'b']);
  });

  test('are written again in full after they were deleted', async () => {
    await decide('a');
    await fixture.run('performAttempt', fixture.attempt('desk/x1'));
    const before = fixture.projected();
    rmSync(directory().records, { recursive: true });
    for (const name of readdirSync(directory().sealed)) {
      if (name.endsWith('.jsonl')) rmSync(join(directory().sealed, name));
    }
    fixture.restart();
    await decide('a');
    expect(fixture.projected()).toEqual(before);
  });

  test('are written again without a new record, of a closed experiment beside the open ones', async () => {
    await fixture.run('performAttempt', fixture.attempt('desk/x1'));
    await report();
    const before = fixture.projected();
    rmSync(directory().records, { recursive: true });
    await new RecordStore(fixture.dependencies()).rebuild(fixture.lock);
    expect(fixture.projected()).toEqual(before);
    expect(readdirSync(directory().records)).toContain('attempts.opened.jsonl');
    expect(readdirSync(directory().sealed)).toEqual(['policies.json']);
  });

  test('stay sealed when they are written again before the experiment is closed', async () => {
    await fixture.run('performAttempt', fixture.attempt('desk/x1'));
    rmSync(join(directory().sealed, 'attempts.jsonl'));
    await new RecordStore(fixture.dependencies()).rebuild(fixture.lock);
    expect(readdirSync(directory().sealed)).toContain('attempts.jsonl');
    expect(readdirSync(directory().records)).not.toContain('attempts.opened.jsonl');
  });

  test('hold what the ledger had when the worker died before it projected', async () => {
    await fixture.gateway.control.appendRecord({
      experimentId: fixture.lock.id,
      stream: 'open',
      key: 'decision/unprojected',
      body: { ...fixture.projected()[0], kind: 'decision', arm: null, event: 'x', reason: 'unprojected', figures: {} },
    });
    fixture.restart();
    await decide('a');
    expect(reasons()).toEqual(['unprojected', 'a']);
  });
});

describe('the report', () => {
  test('closes the experiment and opens what was sealed; repeated, it changes nothing', async () => {
    await fixture.run('performAttempt', fixture.attempt('desk/x1'));
    expect(readdirSync(directory().sealed)).toContain('attempts.jsonl');
    expect(isExperimentClosed(fixture.folder.home, fixture.lock.id)).toBe(false);
    await report();
    const after = fixture.projected();
    fixture.restart();
    await report();
    expect(fixture.projected()).toEqual(after);
    expect(readdirSync(directory().sealed)).toEqual(['policies.json']);
    expect(isExperimentClosed(fixture.folder.home, fixture.lock.id)).toBe(true);
    expect(fixture.reports.at(-1)?.records).toBe((await fixture.records()).length);
  });
});
