import { configDefaults, defineConfig } from 'vitest/config';

/** Whole attempts of many harnesses: they take every core, so they run after the tests that measure time. */
const pack = ['test/hostile/harnesses.test.ts', 'test/hostile/good-harnesses.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 180_000,
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...pack],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'pack', include: pack, sequence: { groupOrder: 1 } } },
    ],
  },
});
