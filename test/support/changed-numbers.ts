import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptRecord } from '../../src/schema/record.ts';
import type { EvidenceCopy } from './evidence-copy.ts';

/** Change the one file of a folder of the experiment whose name fits; nothing to change is an error. */
export function editFile(copy: EvidenceCopy, folder: string, fits: RegExp, change: (text: string) => string): void {
  const name = readdirSync(join(copy.folder, folder)).find((each) => fits.test(each)) ?? '';
  const file = join(copy.folder, folder, name);
  const text = readFileSync(file, 'utf8');
  if (change(text) === text) throw new Error(`nothing to change in ${file}`);
  writeFileSync(file, change(text));
}

/** What `scripts/rederive` compares, a line each. */
export const derivedGroups = [
  'judgements',
  'results',
  'champions',
  'outcomes',
  'tokens',
  'money',
  'table',
  'ledger',
  'answers',
] as const;

/** Changes of a number, one each, that `scripts/rederive` has to find. */
export const changedNumbers: readonly (readonly [string, (copy: EvidenceCopy) => void])[] = [
  [
    'one reward of one attempt',
    (copy) =>
      editFile(copy, 'records', /^attempts.opened/, (text) =>
        text.replace(/"outcome":\{"kind":"scored","reward":[\d.]+/, '"outcome":{"kind":"scored","reward":0.321'),
      ),
  ],
  [
    'the reward in one judge.json',
    (copy) => {
      const attempt = copy.records().find((record) => record.kind === 'attempt' && record.phase === 'final');
      const path = copy.blobPath((attempt as AttemptRecord).blobs['judge'] ?? '');
      writeFileSync(path, readFileSync(path, 'utf8').replace(/"reward": [\d.]+/, '"reward": 0.321'));
    },
  ],
  [
    'one mean of the JSON report',
    (copy) => editFile(copy, 'reports', /json$/, (text) => text.replace(/"mean": ?[\d.]+/, '"mean":99')),
  ],
  [
    'one cell of the table',
    (copy) => editFile(copy, 'reports', /^summary/, (text) => text.replace(/(\| H0 \| )[\d.]+/, '$199.00')),
  ],
  [
    'one token count',
    (copy) => editFile(copy, 'records', /^usage/, (text) => text.replace(/"charged":\d+/, '"charged":1')),
  ],
  ['one request row', (copy) => copy.sql('UPDATE call SET charged = charged + 1 WHERE seq = 1')],
  [
    'the frozen champion',
    (copy) => editFile(copy, 'records', /^champions/, (text) => text.replace(/"revision":"\w/, '"revision":"x')),
  ],
  [
    'one served model of the report',
    (copy) => editFile(copy, 'reports', /json$/, (text) => text.replace(/("served": \[\s*\{\s*"model": ")/, '$1x')),
  ],
  [
    'one stored answer',
    (copy) => copy.sql(`UPDATE answer SET body = replace(body, '"outputTokens":', '"outputTokens":1') WHERE seq = 1`),
  ],
  [
    'one price',
    (copy) => {
      const rates = { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000 };
      const price = { kind: 'rates', rates, longPrompt: null, asOf: '2026-01-01', source: 'forged' };
      copy.sql('UPDATE price SET body = ? WHERE id = (SELECT price FROM call LIMIT 1)', [JSON.stringify(price)]);
    },
  ],
];
