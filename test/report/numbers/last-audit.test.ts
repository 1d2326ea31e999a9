import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../src/report/numbers/build-report.ts';
import { auditLine, auditStanding } from '../../../src/report/numbers/last-audit.ts';
import { recordsDigest } from '../../../src/report/numbers/records-digest.ts';
import { renderMarkdown } from '../../../src/report/documents/render-markdown.ts';
import { renderReport } from '../../../src/report/documents/render-report.ts';
import type { LastAudit } from '../../../src/schema/last-audit.ts';
import type { ExperimentRecord } from '../../../src/schema/record.ts';
import { demoStory } from '../../support/demo-story.ts';

const { story } = demoStory();
const { lock, records } = story;

function audited(of: readonly ExperimentRecord[], failed = 0): LastAudit {
  const covered = { count: of.length, digest: recordsDigest(of) };
  return {
    version: 1,
    experiment: lock.id,
    at: '2026-03-02T07:12:40.000Z',
    engine: '1',
    checks: 16,
    failed,
    records: covered,
  };
}

describe('what a report says of its audit', () => {
  it.each([
    ['is unaudited before the first', null, /^unaudited: anneal audit exp_41d0c2ab /],
    [
      'is unaudited after one that failed',
      audited(records, 2),
      /^unaudited: 2 of 16 checks failed on 2026-03-02 07:12 UTC/,
    ],
    [
      'is its time and its records after a clean one',
      audited(records),
      /^audited 2026-03-02 07:12 UTC: 16 checks ok over \d+ records sha256:[0-9a-f]{12}…$/,
    ],
    [
      'is unaudited since then once a record was added',
      audited(records.slice(0, -1)),
      /^unaudited since 2026-03-02 07:12 UTC: the records have changed/,
    ],
    [
      'is unaudited since then once a record was taken away',
      audited([...records, ...records.slice(0, 1)]),
      /^unaudited since /,
    ],
    [
      'is unaudited since then once a record is another one',
      audited(records.with(0, records[1] as ExperimentRecord)),
      /^unaudited since /,
    ],
  ])('%s', (_, audit, line) => {
    const report = buildReport(lock, records, auditStanding(audit, records));
    expect(auditLine(report)).toMatch(line);
    expect(renderMarkdown(report).split('\n')).toContain(auditLine(report));
    expect(renderReport(report).split('\n')).toContain(auditLine(report));
  });

  it('does not depend on the order in which records were read', () => {
    expect(auditStanding(audited(records), records.toReversed())).toMatchObject({ kind: 'audited' });
  });
});
