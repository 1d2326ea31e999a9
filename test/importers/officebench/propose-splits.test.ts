import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proposeSplits, type SplitSizes } from '../../../src/importers/officebench/propose-splits.ts';
import { TaskId } from '../../../src/schema/ids.ts';
import type { ImportedTask, ImportFinding } from '../../../src/schema/import-report.ts';
import { sha256 } from '../../../src/importers/officebench/list-tree.ts';
import type { Modality } from '../../../src/schema/splits.ts';

const sizes: SplitSizes = { feedback: 2, selection: 1, final: 1, crossOffice: 2 };
const replay = { reward: 0, passed: [], defect: null };

function task(
  name: string,
  leakageGroup: string,
  modality: Modality,
  kinds: ImportFinding['kind'][] = [],
): ImportedTask {
  return {
    id: TaskId.parse(`officebench/${name}`),
    sourceId: name.replace(/-(\d+)$/, '/$1'),
    status: 'ok',
    listed: true,
    reasons: [],
    findings: kinds.map((kind) => ({ kind, detail: '' })),
    modality,
    leakageGroup,
    oracle: 'derived',
    needsVision: false,
    deliverables: [],
    inputs: {},
    packageSha256: sha256(name),
    replays: { oracle: replay, empty: replay, unmodified: replay, corrupt: replay, careless: replay },
  };
}

const tasks = [
  ...[0, 1, 2, 3].map((n) => task(`1-1-${n}`, 'a', 'spreadsheet')),
  task('1-2-0', 'b', 'spreadsheet'),
  task('1-3-0', 'c', 'spreadsheet', ['weak-keywords']),
  task('1-4-0', 'd', 'spreadsheet'),
  task('1-5-0', 'o', 'spreadsheet'),
  ...['e', 'f', 'g', 'h', 'i'].map((group, n) => task(`2-${n}-0`, group, 'document')),
  task('3-1-0', 'j', 'cross-office'),
  task('3-2-0', 'k', 'cross-office'),
  task('3-3-0', 'a', 'cross-office'),
  task('3-4-0', 'l', 'document'),
  task('3-4-1', 'l', 'cross-office'),
  task('3-5-0', 'm', 'document', ['needs-vision']),
  { ...task('3-6-0', 'n', 'document'), listed: false },
];
const chosen = proposeSplits(tasks, sizes, 1);
const lists = [chosen.feedback, chosen.selection, chosen['final-in-domain'], chosen['final-cross-office']];

describe('proposed splits', () => {
  test('have the sizes asked for, each modality alike', () => {
    expect(lists.map(({ length }) => length)).toEqual([4, 2, 2, 2]);
    const spreadsheets = lists.map((list) => list.filter((id) => id.startsWith('officebench/1-')).length);
    expect(spreadsheets).toEqual([2, 1, 1, 0]);
  });

  test('keep a leakage group in one split', () => {
    const groups = lists.map((list) => new Set(list.map((id) => tasks.find((one) => one.id === id)?.leakageGroup)));
    expect(groups.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(groups.flatMap((group) => [...group])).size);
  });

  test('leave out weak keys where others suffice, and always what is unlisted or needs vision', () => {
    const all: string[] = lists.flat();
    for (const id of ['officebench/1-3-0', 'officebench/3-5-0', 'officebench/3-6-0']) expect(all).not.toContain(id);
  });

  test('let a mixed group give up its fewer members', () => {
    expect(lists.flat()).not.toContain('officebench/3-3-0');
    expect(lists.flat()).not.toContain('officebench/3-4-0');
  });

  test('do not depend on the order of the report', () => {
    const shuffled = fc.shuffledSubarray(tasks, { minLength: tasks.length, maxLength: tasks.length });
    fc.assert(
      fc.property(shuffled, (other) => {
        expect(proposeSplits(other, sizes, 1)).toEqual(chosen);
      }),
      { numRuns: 3 },
    );
  });

  test('an empty split says that there are too few tasks', () => {
    expect(proposeSplits([], sizes, 1)).toMatchObject({ feedback: [], selection: [] });
  });
});
