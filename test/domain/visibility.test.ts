import { describe, expect, it } from 'vitest';
import {
  barrier,
  type Content,
  mayRead,
  type Reader,
  type Source,
  visibleToUpdater,
} from '../../src/domain/visibility.ts';
import type { Criterion } from '../../src/schema/judgement.ts';

const contents: readonly Content[] = [
  'task-id',
  'instruction',
  'inputs',
  'transcript',
  'artifact',
  'score',
  'diagnostics',
  'crash-signature',
  'selection-number',
  'progress',
  'tests',
  'references',
];

describe('the barrier', () => {
  it.each<[Reader, Source, readonly Content[]]>([
    [
      'updater',
      'feedback',
      ['task-id', 'instruction', 'inputs', 'transcript', 'artifact', 'score', 'diagnostics', 'crash-signature'],
    ],
    ['updater', 'selection', ['selection-number']],
    ['updater', 'final-in-domain', []],
    ['updater', 'final-cross-office', []],
    ['updater', 'static-run', []],
    ['harness', 'feedback', ['instruction', 'inputs']],
    ['harness', 'selection', ['instruction', 'inputs']],
    ['harness', 'final-in-domain', ['instruction', 'inputs']],
    ['harness', 'final-cross-office', ['instruction', 'inputs']],
    ['harness', 'static-run', []],
    ['judge', 'final-cross-office', ['inputs', 'artifact', 'tests', 'references']],
    ['person', 'selection', ['selection-number', 'progress']],
    ['person', 'final-in-domain', ['progress']],
    ['person', 'final-cross-office', ['progress']],
    ['person', 'feedback', contents],
    ['person', 'static-run', contents],
  ])('lets the %s read of %s exactly: %j', (reader, source, expected) => {
    expect(contents.filter((content) => mayRead(reader, source, content))).toEqual(
      contents.filter((content) => expected.includes(content)),
    );
  });

  it('shows tests and references to nobody but the judge and a person', () => {
    for (const source of Object.keys(barrier.updater) as Source[]) {
      for (const reader of ['updater', 'harness'] as const) {
        expect([mayRead(reader, source, 'tests'), mayRead(reader, source, 'references')]).toEqual([false, false]);
      }
    }
  });
});

const criterion: Criterion = {
  id: 'total',
  text: 'The total is 1250.5 in B7',
  kind: 'semantic',
  weight: 0.5,
  category: 'facts',
  required: true,
  status: 'fail',
  earned: 0,
  observed: 'found 1200, wanted 1250.5',
  expected: '1250.5',
};
const canary = 'anneal-canary-7f3a';

describe('visibleToUpdater', () => {
  const report = { criteria: [criterion], deliveryFaults: [] };

  it('shows diagnostics without expected values, wherever they are quoted', () => {
    const visible = visibleToUpdater('diagnostics', 'feedback', report, []);
    expect(JSON.stringify(visible)).not.toContain('1250.5');
    expect(visible).toEqual({
      kind: 'visible',
      removed: 2,
      value: {
        deliveryFaults: [],
        criteria: [
          {
            id: 'total',
            text: 'The total is [sealed] in B7',
            kind: 'semantic',
            weight: 0.5,
            category: 'facts',
            required: true,
            status: 'fail',
            earned: 0,
            observed: 'found 1200, wanted [sealed]',
          },
        ],
      },
    });
  });

  it('keeps what was observed where the criterion passed: the solver wrote it itself', () => {
    const passed = { ...criterion, status: 'pass' as const, observed: 'B7 is 1250.5' };
    const visible = visibleToUpdater('diagnostics', 'feedback', { criteria: [passed], deliveryFaults: [] }, []);
    expect(visible.kind === 'visible' && visible.value.criteria[0]?.observed).toBe('B7 is 1250.5');
  });

  it.each<[Content, () => unknown]>([
    ['instruction', () => visibleToUpdater('instruction', 'feedback', `do ${canary}`, [canary])],
    ['inputs', () => visibleToUpdater('inputs', 'feedback', [`${canary}.xlsx`], [canary])],
    [
      'transcript',
      () => visibleToUpdater('transcript', 'feedback', [{ role: 'tool', text: canary.toUpperCase() }], [canary]),
    ],
    ['artifact', () => visibleToUpdater('artifact', 'feedback', `x ${canary} y`, [canary])],
    ['crash-signature', () => visibleToUpdater('crash-signature', 'feedback', `KeyError: ${canary}`, [canary])],
    [
      'diagnostics',
      () =>
        visibleToUpdater(
          'diagnostics',
          'feedback',
          { criteria: [{ ...criterion, observed: canary, status: 'pass' }], deliveryFaults: [] },
          [canary],
        ),
    ],
    [
      'delivery faults',
      () =>
        visibleToUpdater(
          'diagnostics',
          'feedback',
          { criteria: [], deliveryFaults: [{ file: canary, fault: 'missing' }] },
          [canary],
        ),
    ],
  ] as [Content, () => unknown][])('takes a planted canary out of %s and counts it', (_, show) => {
    const visible = show() as { kind: string; removed: number };
    expect(JSON.stringify(visible).toLowerCase()).not.toContain(canary);
    expect(visible).toMatchObject({ kind: 'visible' });
    expect(visible.removed).toBeGreaterThan(0);
  });

  it('strips terminal sequences from what updaters read', () => {
    expect(visibleToUpdater('artifact', 'feedback', '\u001b]52;c;x\u0007text', [])).toMatchObject({ value: 'text' });
  });

  it.each(['selection', 'final-in-domain', 'final-cross-office', 'static-run'] as const)(
    'refuses everything but the own number of %s',
    (source) => {
      expect(visibleToUpdater('task-id', source, 'p/a', []).kind).toBe('refused');
      expect(visibleToUpdater('instruction', source, 'text', []).kind).toBe('refused');
      expect(visibleToUpdater('diagnostics', source, report, []).kind).toBe('refused');
      expect(visibleToUpdater('crash-signature', source, 's', []).kind).toBe('refused');
      expect(visibleToUpdater('score', source, 50, []).kind).toBe('refused');
    },
  );

  it.each(['tests', 'references', 'progress'] as const)('never shows %s', (content) => {
    expect(visibleToUpdater(content, 'feedback', 'anything', []).kind).toBe('refused');
  });

  const floors = { selection: 1, final: 0.95 };
  it('rounds a selection number as configured', () => {
    const material = { aggregate: { scored: 30, planned: 30, points: 51.2399 }, stepPoints: 0.1, floors };
    expect(visibleToUpdater('selection-number', 'selection', material, [])).toEqual({
      kind: 'visible',
      value: 51.2,
      removed: 0,
    });
  });

  it('has no selection number below full coverage', () => {
    const material = { aggregate: { scored: 29, planned: 30, points: 51 }, stepPoints: 0.1, floors };
    expect(visibleToUpdater('selection-number', 'selection', material, [])).toEqual({
      kind: 'refused',
      why: 'selection covers 29 of 30 tasks',
    });
  });

  it('refuses a final number to an updater', () => {
    const material = { aggregate: { scored: 60, planned: 60, points: 51 }, stepPoints: 0.1, floors };
    expect(visibleToUpdater('selection-number', 'final-in-domain', material, []).kind).toBe('refused');
  });
});
