import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ExperimentId } from '../../../src/schema/ids.ts';
import { dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import { isExperimentClosed } from '../../../src/services/data-home/experiment-closed.ts';
import { experimentDirectory, type ExperimentDirectory } from '../../../src/services/data-home/experiment-directory.ts';
import { readRecordLines } from '../../../src/services/data-home/read-record-lines.ts';
import { readRecords } from '../../../src/services/data-home/read-records.ts';

const id = ExperimentId.parse('exp_0000000a');
let root: string;
let directory: ExperimentDirectory;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anneal-read-'));
  directory = experimentDirectory(dataHomeAt(root), id);
});

afterEach(() => rmSync(root, { recursive: true }));

const decision = (event: string, seq?: number): string =>
  `${JSON.stringify({
    ...(seq === undefined ? {} : { seq }),
    kind: 'decision',
    version: 1,
    experiment: id,
    simulated: true,
    world: 'null',
    at: '2026-01-01T00:00:00.000Z',
    arm: null,
    event,
    reason: 'a reason',
    figures: {},
  })}\n`;

function write(...lines: readonly string[]): string {
  mkdirSync(directory.records, { recursive: true });
  const file = join(directory.records, 'decisions.jsonl');
  writeFileSync(file, lines.join(''));
  return file;
}

describe('the records of an experiment', () => {
  test('are none before anything happened', () => {
    expect(readRecords(directory)).toEqual([]);
  });

  test('come in the order of the ledger, whatever files they stand in', () => {
    write(decision('second', 2), decision('fifth', 5));
    writeFileSync(join(directory.records, 'decisions.opened.jsonl'), decision('first', 1) + decision('fourth', 4));
    mkdirSync(directory.sealed, { recursive: true });
    writeFileSync(join(directory.sealed, 'decisions.jsonl'), decision('third', 3));
    const events = readRecords(directory).map((record) => record.kind === 'decision' && record.event);
    expect(events).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  });

  test('are read whole while the last line is being written', () => {
    const file = write(decision('one'), decision('two'));
    appendFileSync(file, decision('three').slice(0, 40));
    expect(readRecords(directory)).toHaveLength(2);
  });

  test.each([
    ['before anything was read', 'read 1'],
    ['after the open ones were read', 'read 2'],
    ['after everything was read', 'read 2 done'],
  ])('are read once each while the experiment opens its sealed files %s', (_, moment) => {
    write(decision('open', 1));
    mkdirSync(directory.sealed, { recursive: true });
    const sealed = join(directory.sealed, 'decisions.jsonl');
    writeFileSync(sealed, decision('sealed', 2));
    const passed: string[] = [];
    const pass = (name: string): void => {
      passed.push(name);
      if (name === moment) renameSync(sealed, join(directory.records, 'decisions.opened.jsonl'));
    };
    const lines = readRecordLines(directory, (file) => {
      const read = `read ${passed.filter((name) => !name.endsWith('done')).length + 1}`;
      pass(read);
      const text = readFileSync(file, 'utf8');
      pass(`${read} done`);
      return text;
    });
    expect(passed).toContain(moment);
    expect(lines.map(({ text }) => text).toSorted()).toEqual(
      [decision('open', 1), decision('sealed', 2)].map((line) => line.trim()).toSorted(),
    );
  });

  test('that are damaged anywhere else are told by file and line', () => {
    const file = write(decision('one'), '{"kind":\n', decision('two'));
    expect(() => readRecords(directory)).toThrow(
      expect.objectContaining({ code: 'ANL-6008', exit: 6, at: [{ file, line: 2 }] }),
    );
  });

  test('tell whether the experiment ended for good', () => {
    write(decision('phase-started'));
    expect(isExperimentClosed(dataHomeAt(root), id)).toBe(false);
    write(decision('phase-started'), decision('experiment-closed'));
    expect(isExperimentClosed(dataHomeAt(root), id)).toBe(true);
  });
});
