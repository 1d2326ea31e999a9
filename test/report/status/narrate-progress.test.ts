import { describe, expect, it } from 'vitest';
import { buildStatus } from '../../../src/report/status/build-status.ts';
import { narrateProgress } from '../../../src/report/status/narrate-progress.ts';
import { sinceLastLook } from '../../../src/report/status/since-last-look.ts';
import type { Status } from '../../../src/report/status/status.ts';
import { demoRecords } from '../../support/demo-story.ts';
import { buildLock, startedAt } from '../../support/lock-builder.ts';
import { infrastructure, Story } from '../../support/record-builders.ts';

function look(stage: number, paused = false): Status {
  const live = { run: 'running', phase: 'search', arm: 'ace', paused, lanes: 2 } as const;
  const now = startedAt + 60_000;
  return buildStatus({
    lock: buildLock(),
    records: demoRecords(stage),
    live,
    usage: null,
    leases: [],
    services: [],
    now,
  });
}

describe('progress lines', () => {
  it('say nothing where nothing changed', () => expect(narrateProgress(look(2), look(2))).toEqual([]));

  it('tell what ended before a new phase, then the phase, then what belongs to it', () => {
    expect(narrateProgress(look(0), look(1))).toEqual([
      'selection h0 3 of 3 scored     50.0',
      'phase     search',
      'feedback  h0 2 of 2 scored     65.0',
    ]);
    expect(narrateProgress(look(3), look(4))).toEqual(['phase     final', 'final     9 of 14 scored']);
  });

  it('give the change from H0 with a number', () => {
    expect(narrateProgress(look(1), look(2))).toContain('selection cand-1 3 of 3 scored     70.0 (+20.0)');
  });

  it('tell a pause and how to end it', () => {
    expect(narrateProgress(look(2), look(2, true))).toEqual([
      'state     paused',
      'needs you paused on request     anneal resume exp_41d0c2ab',
    ]);
  });

  it('never tell a mean of finals', () => {
    expect(narrateProgress(look(4), look(5)).filter((line) => line.startsWith('final'))).toEqual([
      'final     14 of 14 scored',
    ]);
  });
});

describe('since the last look', () => {
  const at = (second: number): string => new Date(startedAt + second * 1000).toISOString();

  it('is null when nothing happened', () => {
    expect(sinceLastLook(demoRecords(2), at(3600), startedAt + 7_200_000)).toBeNull();
  });

  it.each([
    ['as it was written', <Item>(records: readonly Item[]): readonly Item[] => records],
    ['file by file', <Item>(records: readonly Item[]): readonly Item[] => records.toReversed()],
  ])('counts attempts and names what happened, in the order of its time, read %s', (_, order) => {
    const story = new Story().attempts('h0', { p2: 1 }).attempts('h0', { d2: infrastructure(), x1: 0.5 });
    story.revision('ace/cand-1').query('ace', 1, 51.25, 2).decision('ace', 'search-ended', 'all batches are done');
    expect(sinceLastLook(order(story.records), at(1), startedAt + 61_000)).toBe(
      '1 m ago you looked last; since then 2 attempts (1 scored, 1 infra) · ace submitted cand-1 · ace cand-1 measured at 51.3 · ace search ended (all batches are done)',
    );
  });
});
