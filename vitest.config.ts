import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Rules whose files may share a process: starting one for each would take longer than most of them. */
const shared = ['activities', 'adapters', 'cli', 'domain', 'report', 'schema', 'updaters'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
/** Whole attempts of many harnesses: they take every core, so they run after the tests that measure time. */
const pack = ['test/hostile/harnesses.test.ts', 'test/hostile/good-harnesses.test.ts'];
/** What takes longest begins first, so that nothing long is left for the end, when the other cores have nothing to do. */
const longest = [
  'adapters/bubblewrap',
  'adapters/full-disk',
  'activities/perform-attempt',
  'activities/call-model',
  'worlds/worlds',
  'worlds/controls',
  'end-to-end/demo',
  'end-to-end/down',
  'chaos/kills',
  'end-to-end/key-trouble',
  'audit/audit-experiment',
  'workflows/experiment',
  'end-to-end/services',
  'end-to-end/provider',
  'end-to-end/money-cap',
  'chaos/bill',
  'workflows/arm',
  'guide/guide',
  'workflows/cut-off-call',
  'guide/clone',
  'workflows/holds',
  'tasks/office-mini',
  'hostile/survivors',
  'gateway/kill',
  'importers/officebench-shared',
  'end-to-end/left-behind',
  'hostile/floods',
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? longest.length : place;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's, not an array's
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 180_000,
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...shared, ...pack],
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'pack', include: pack, sequence: { groupOrder: 2 } } },
    ],
  },
});
