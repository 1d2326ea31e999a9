import { describe, expect, test } from 'vitest';
import type { AuditSources } from '../../src/audit/audit-sources.ts';
import type { BookedQuery } from '../../src/contract/ledger-reader.ts';
import { configCheck } from '../../src/audit/checks/config.ts';
import { queriesCheck } from '../../src/audit/checks/queries.ts';
import { reportCheck } from '../../src/audit/checks/report.ts';
import { reportFiles } from '../../src/report/documents/report-files.ts';
import type { ExperimentRecord } from '../../src/schema/record.ts';
import { demoStory } from '../support/demo-story.ts';
import { judgeFailure, Story } from '../support/record-builders.ts';

const { story } = demoStory();
const { lock, records } = story;

const linesOf = (all: readonly ExperimentRecord[]): AuditSources['lines'] =>
  all.map((record, index) => ({ file: 'x.jsonl', line: index + 1, seq: index + 1, record, body: record }));

/** What the checks here read of a closed experiment with the report that its records give. */
function sources(changes: Partial<AuditSources> = {}): AuditSources {
  const files = reportFiles(lock, records, { kind: 'unaudited' });
  return {
    lock,
    lines: linesOf(records),
    stored: records.map((body, index) => ({ seq: index + 1, body })),
    reports: new Map(files.map(({ name, text }) => [name, text])),
    engine: lock.engine,
    tasks: [],
    missing: [],
    changed: [],
    h0: lock.identity.harness,
    ...changes,
  } as unknown as AuditSources;
}

describe('the audit of a report', () => {
  const texts = [...sources().reports].map(([name, text]): [string, string] => [
    name,
    name.endsWith('.md') ? text.replace('simulated', 'real') : text,
  ]);

  test('compares its texts line by line, and says so where it cannot, since another version wrote them', async () => {
    expect(await reportCheck.run(sources())).toMatchObject({ state: 'ok' });
    const forged = { reports: new Map(texts) };
    expect(await reportCheck.run(sources(forged))).toMatchObject({ state: 'fail' });
    const other = await reportCheck.run(sources({ ...forged, engine: 'another' }));
    expect(other).toMatchObject({ state: 'ok', text: expect.stringContaining('were not compared') as string });
  });

  test('finds no fault with files of other names', async () => {
    const reports = new Map([...sources().reports, ['notes.md', 'mine'], ['attempts.xlsx', '']]);
    expect(await reportCheck.run(sources({ reports }))).toMatchObject({ state: 'ok' });
  });
});

describe('the audit of a config', () => {
  const task = (policyFromKeys: boolean): Partial<AuditSources> => ({
    tasks: [{ policyFromKeys }] as unknown as AuditSources['tasks'],
  });

  test('misses the label of policies that were derived from evaluation keys where the lock does not tell it', async () => {
    const said = async (changes: Partial<AuditSources>): Promise<string> => {
      const found = await configCheck.run(sources(changes));
      return found.state === 'fail' ? found.faults.join('\n') : '';
    };
    const fault = 'policies were derived from evaluation keys';
    const operational = { ...lock.operational, policiesFromEvaluationKeys: true };
    expect(await said(task(false))).not.toContain(fault);
    expect(await said(task(true))).toContain(fault);
    expect(await said({ ...task(true), lock: { ...lock, operational } })).not.toContain(fault);
  });
});

describe('the audit of queries', () => {
  const measured = (): Story => {
    const begun = new Story().attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 }).revision('h0').query('ace', 0, 50, 1);
    return begun.revision('ace/cand-1').attempts('ace/cand-1', { p1: 1, d1: 0.5, x3: judgeFailure() });
  };
  const found = async (told: Story): Promise<string> => {
    const booked = told.records.flatMap((record): BookedQuery[] =>
      record.kind === 'query'
        ? [
            {
              arm: record.arm,
              revision: record.revision,
              query: record.query ?? 0,
              state: 'disclosed',
              exact: record.exact,
              shown: record.disclosed,
            },
          ]
        : [],
    );
    const ledger = { queries: () => booked, queryCap: () => 4 } as unknown as AuditSources['ledger'];
    const line = await queriesCheck.run(sources({ lines: linesOf(told.records), ledger }));
    return line.state === 'fail' ? line.faults.join('\n') : line.text;
  };
  const fault = '75 was disclosed, its attempts give 50';

  test('holds a number against the attempts that stood when it was disclosed, not against what was judged again since', async () => {
    const after = measured().query('ace', 1, 75, 2).judgement('ace/cand-1', 'x3', 1, 0);
    expect(await found(after)).not.toContain(fault);
    const hidden = measured().judgement('ace/cand-1', 'x3', 1, 0).query('ace', 1, 75, 2);
    expect(await found(hidden)).toContain(fault);
  });
});
