import type { ExperimentRecord } from '../../src/schema/record.ts';
import { buildLock, type LockChanges } from './lock-builder.ts';
import { Story } from './record-builders.ts';

/** A whole run in which what ACE learns helps in domain and does not transfer; `stages` is where each look finds it. */
export interface DemoStory {
  readonly story: Story;
  /** How many records there are at the end of each stage. */
  readonly stages: readonly number[];
}

const final = { h0: { p4: 0.6, d4: 0.7, x4: 0.5, c1: 0.5, c2: 0.6, c3: 0.5, c4: 0.55 } };
const learnt = { ...final.h0, p4: 1, d4: 1, x4: 1 };

export function demoStory(changes: LockChanges = {}): DemoStory {
  const story = new Story(buildLock(changes));
  const stages: number[] = [];
  const stage = (): void => void stages.push(story.records.length);
  story.revision('h0').phase('baseline');
  story.attempts('h0', { p1: 0.5, d1: 0.7 });
  stage();
  story.attempts('h0', { x3: 0.3 }).phase('search').query('ace', 0, 50, 1);
  story.attempts('h0', { p2: 0.6, d2: 0.7 });
  stage();
  story.revision('ace/cand-1').attempts('ace/cand-1', { p1: 1, d1: 0.7, x3: 0.4 }).query('ace', 1, 70, 2);
  story.attempts('ace/cand-1', { p3: 1, x1: 0.5 });
  stage();
  story.revision('ace/cand-2').attempts('ace/cand-2', { p1: 1, d1: 1, x3: 1 }).query('ace', 2, 100, 3);
  story.attempts('ace/cand-2', { d3: 1, x2: 1 });
  story.revision('ace/cand-3').attempts('ace/cand-3', { p1: 1, d1: 1, x3: 1 }).query('ace', 3, 100, 4);
  story.decision('ace', 'search-ended', 'all batches are done').phase('freeze');
  stage();
  story.champion('ace', 'gated', 2).champion('ace', 'bestEvolved', 2).phase('final');
  story.attempts('h0', final.h0).attempts('ace/cand-2', { p4: learnt.p4, d4: learnt.d4 });
  stage();
  story.attempts('ace/cand-2', { x4: 1, c1: 0.5, c2: 0.6, c3: 0.5, c4: 0.55 }).phase('report');
  story.usage('h0', 'solver', { calls: 68, reported: 34_000, charged: 34_000 });
  story.usage('ace', 'solver', { calls: 64, reported: 32_000, charged: 32_000 });
  story.usage('ace', 'updater', { calls: 12, reported: 10_600, charged: 10_900, unknownRows: 1, unknownCharged: 300 });
  story.closed();
  stage();
  return { story, stages };
}

/** The records of a demo up to the end of one stage, counted from 0. */
export function demoRecords(stage: number, changes: LockChanges = {}): readonly ExperimentRecord[] {
  const { story, stages } = demoStory(changes);
  return story.records.slice(0, stages[stage]);
}
