import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from '../../src/services/package-root.ts';
import type { DeclaredHarness } from './declared-harness.ts';
import { goodPlaybooks, hostilePlaybooks } from './declared-playbooks.ts';
import { goodHarnesses } from './good-harnesses.ts';
import { hostileHarnesses } from './hostile-harnesses.ts';
import { packTests, probes } from './probe-list.ts';

interface Result {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
}

const levels = ['full', 'user'] as const;
const file = join(packageRoot, '.vitest', 'results.json');
/** `npm run hostile -- last` lists the results of the last test run again. */
const again = process.argv[2] === 'last';
const run = again
  ? null
  : await execa('npx', ['vitest', 'run', ...packTests], { cwd: packageRoot, reject: false, stdout: 'ignore' });
const { testResults, startTime } = JSON.parse(readFileSync(file, 'utf8')) as {
  startTime: number;
  testResults: { name: string; endTime: number; assertionResults: readonly Result[] }[];
};
const seconds = Math.round((Math.max(...testResults.map(({ endTime }) => endTime)) - startTime) / 1000);
const results = testResults.flatMap(({ assertionResults }) => assertionResults);

/** `ok`, `ok 3` for several, `FAILED`, or why a level was skipped. */
function stateOf(level: (typeof levels)[number], belongs: (title: string) => boolean): string {
  const found = results.filter(
    ({ ancestorTitles, title }) =>
      ancestorTitles.some((suite) => suite.includes(`at level ${level}`)) && belongs(title),
  );
  if (found.length === 0) return 'NONE';
  if (found.some(({ status }) => status === 'failed')) return 'FAILED';
  if (found.some(({ status }) => status !== 'passed')) return 'skipped';
  return found.length === 1 ? 'ok' : `ok ${found.length}`;
}

function statesOf(belongs: (title: string) => boolean): string[] {
  return levels.map((level) => stateOf(level, belongs));
}

function print(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)));
  for (const row of [heading, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
  console.log('');
}

function printHarnesses(title: string, harnesses: readonly DeclaredHarness[]): void {
  print(
    [title, 'what it does', 'declared', ...levels],
    harnesses.map(({ name, what, outcome }) => [
      name,
      what,
      `${outcome.class}, reward ${outcome.reward}`,
      ...statesOf((test) => test.startsWith(`${name}: `)),
    ]),
  );
}

print(
  ['#', 'probe', 'what must happen', ...levels],
  probes.map(({ number, name, must }) => {
    const harnesses = hostileHarnesses.filter(({ probes: named }) => named?.includes(number));
    const belongs = (title: string): boolean =>
      title.startsWith(`probe ${number}: `) || harnesses.some(({ name: harness }) => title.startsWith(`${harness}: `));
    return [String(number), name, must, ...statesOf(belongs)];
  }),
);
printHarnesses('hostile or broken harness', hostileHarnesses);
printHarnesses('hostile playbook', hostilePlaybooks);
printHarnesses('good harness', goodHarnesses);
printHarnesses('good playbook', goodPlaybooks);
for (const suite of new Set(results.flatMap(({ ancestorTitles }) => ancestorTitles))) {
  if (suite.includes('cannot be had here')) console.log(`skipped: ${suite}`);
}
const count = (status: string): number => results.filter((result) => result.status === status).length;
console.log(
  `${count('passed')} passed, ${count('failed')} failed, ${results.length - count('passed') - count('failed')} skipped in ${seconds} s`,
);
process.exitCode = run?.exitCode ?? (count('failed') === 0 ? 0 : 1);
