import { describe, expect, it } from 'vitest';
import { findAttempts } from '../../src/cli/find-attempts.ts';
import type { ExperimentRecord } from '../../src/schema/record.ts';
import { AttemptKey } from '../../src/schema/ids.ts';
import { Story } from '../support/record-builders.ts';

/** Attempts on a feedback and on a selection task whose keys begin alike; the feedback one is recorded first. */
function alike(): { story: Story; records: readonly ExperimentRecord[] } {
  const story = new Story().attempts('h0', { d1: 1 }).attempts('h0', { p1: 0.5 });
  const records = story.records.map((record, index) =>
    record.kind === 'attempt' ? { ...record, key: AttemptKey.parse(`abcd${String(index).padStart(60, '0')}`) } : record,
  );
  return { story, records };
}

describe('a name that means a feedback attempt and a sealed one', () => {
  it('opens neither before the experiment is closed', () => {
    const { story, records } = alike();
    const refused = { code: 'ANL-1011' };
    expect(() => findAttempts(story.lock, records, [], 'abcd', false)).toThrow(expect.objectContaining(refused));
  });

  it('counts as sealed where it is opened on purpose, so that the opening is put on record', () => {
    const { story, records } = alike();
    expect(findAttempts(story.lock, records, [], 'abcd', true)).toMatchObject({ sealed: true });
  });
});
