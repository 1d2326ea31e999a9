import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';
import { goodHarnesses } from './good-harnesses.ts';
import { goodPlaybooks, hostilePlaybooks } from './declared-playbooks.ts';
import { hostileHarnesses } from './hostile-harnesses.ts';
import { packTests, probes } from './probe-list.ts';

const files = packTests
  .map((path) => join(packageRoot, path))
  .flatMap((path) => (statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path]))
  .filter((path) => path.endsWith('.test.ts') && !path.endsWith('probe-list.test.ts'));
const sources = files.map((path) => readFileSync(path, 'utf8'));

it.each(probes)('probe $number ($name) has a test at both levels', ({ number }) => {
  const titled = sources.filter((text) => text.includes('describeAtEachLevel') && text.includes(`'probe ${number}: `));
  const harnesses = hostileHarnesses.filter(({ probes: named }) => named?.includes(number));
  expect(titled.length + harnesses.length).toBeGreaterThan(0);
});

it('the pack has at least 30 hostile or broken harnesses and 30 good ones, each named once', () => {
  expect(hostileHarnesses.length).toBeGreaterThanOrEqual(30);
  expect(goodHarnesses.length).toBeGreaterThanOrEqual(30);
  const names = [...hostileHarnesses, ...hostilePlaybooks, ...goodHarnesses, ...goodPlaybooks].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
