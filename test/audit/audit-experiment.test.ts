import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttemptRecord, ExperimentRecord } from '../../src/schema/record.ts';
import { createEngine } from '../../src/services/create-engine.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { changedNumbers, derivedGroups, editFile } from '../support/changed-numbers.ts';
import { EvidenceCopy } from '../support/evidence-copy.ts';
import { barrierAfterFailedStarts } from '../support/failed-starts.ts';
import { lossRules } from '../support/lost-evidence.ts';
import { plantedFaults } from '../support/planted-faults.ts';
import { plantedFileFaults } from '../support/planted-file-faults.ts';
import { plantedForgeries } from '../support/planted-forgeries.ts';
import { plantedLedgerFaults } from '../support/planted-ledger-faults.ts';
import { plantJudgeFailure } from '../support/judge-failure.ts';
import { plantLateEnd } from '../support/late-end.ts';
import { plantedLeaks } from '../support/planted-leaks.ts';
import { WholeRun, packExperiment, reducedSplits } from '../support/whole-run.ts';

/** One finished experiment for all of it: the audit, `scripts/rederive`, and a judgement made again. Copies are changed, never it. */
let run: WholeRun;

beforeAll(async () => {
  run = new WholeRun();
  await run.start(packExperiment(reducedSplits, undefined, 1), 3);
  await run.complete();
  await run.engine.down({ now: false }, () => {});
}, 300_000);

afterAll(() => run.remove());

const withCopy = async (use: (copy: EvidenceCopy) => Promise<void>): Promise<void> =>
  EvidenceCopy.during(run.home, run.lock, use);

const told = async (copy: EvidenceCopy, command: string): ReturnType<EvidenceCopy['tell']> => copy.tell(command);

const isClosing = (record: ExperimentRecord): boolean =>
  record.kind === 'decision' && record.event === 'experiment-closed';
const audited = (copy: EvidenceCopy): ReturnType<typeof told> => told(copy, `audit ${copy.lock.id}`);

describe.concurrent('the audit of a whole run', () => {
  test('finds every check ok while no service runs, and changes nothing', async () => {
    await withCopy(async (copy) => {
      const before = copy.records();
      const { exit, out } = await audited(copy);
      expect(out).not.toContain('FAIL');
      expect(out).toContain('16 checks ok');
      expect(exit).toBe(0);
      expect(copy.records()).toEqual(before);
    });
  });

  test('finds every check ok after the report was written again, each file byte for byte what the worker wrote', async () => {
    await withCopy(async (copy) => {
      const folder = join(copy.folder, 'reports');
      const written = (): readonly [string, string][] =>
        readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
      const before = written();
      expect((await told(copy, `report ${copy.lock.id} --format md,csv,json`)).exit).toBe(0);
      expect(written()).toEqual(before);
      const { exit, out } = await audited(copy);
      expect(out).not.toContain('FAIL');
      expect(exit).toBe(0);
    });
  });

  test.each([...plantedFaults, ...plantedFileFaults, ...plantedLeaks])('fails on $fault', async ({ plant, checks }) => {
    await withCopy(async (copy) => {
      await plant(copy);
      const { exit, out } = await audited(copy);
      expect(exit).toBe(6);
      for (const check of checks) expect(out).toMatch(new RegExp(`^FAIL ${check} `, 'm'));
      expect(out).toMatch(/^ +repair \S/m);
      for (const [anew] of out.matchAll(/^ +repair .*anneal run.*$/gm)) expect(anew).toContain('another seed:');
    });
  });

  test.each(plantedLedgerFaults)('says of the ledger: $fault', async ({ plant, told: said }) => {
    await withCopy(async (copy) => {
      plant(copy);
      const ledger = (await copy.audit()).checks.find(({ name, state }) => name === 'ledger' && state === 'fail');
      expect(ledger?.faults.join('\n')).toMatch(said);
    });
  });

  test('looks only for the files that an earlier version froze no digest of', async () => {
    await withCopy(async (copy) => {
      editFile(copy, '.', /^lock/, (text) => text.replace('"fileDigests"', '"unknown"'));
      writeFileSync(join(copy.folder, 'config.yaml'), 'name: another\n');
      expect((await audited(copy)).exit).toBe(0);
      rmSync(join(copy.folder, 'sealed', 'policies.json'));
      expect((await audited(copy)).out).toMatch(/^FAIL config +sealed\/policies.json is missing$/m);
    });
  });

  test.each(plantedForgeries)(
    'notices $fault, though the report was written anew',
    async ({ plant, checks, told: said }) => {
      await withCopy(async (copy) => {
        await plant(copy);
        await told(copy, `report ${copy.lock.id} --format md,csv,json`);
        const found = (await copy.audit()).checks.filter(({ state }) => state === 'fail');
        expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([...checks]));
        expect(found.flatMap(({ faults }) => faults).join('\n')).toMatch(said ?? /./);
      });
    },
  );

  test('takes evidence as that of the start that counts, where infrastructure failed one before', async () => {
    expect(await barrierAfterFailedStarts(run.home, run.lock)).toMatchObject({ state: 'ok' });
  });

  test.each(lossRules)(
    'fails on %s',
    async (_, missed) => {
      await withCopy(async (copy) => expect(await missed(copy)).toEqual([]));
    },
    120_000,
  );

  test('says of a flipped reward which attempt it is, not that the search saw what is held back', async () => {
    await withCopy(async (copy) => {
      const learnt = (record: ExperimentRecord): boolean => record.kind === 'attempt' && record.split === 'feedback';
      copy.forge(learnt, (record) => ({ ...record, outcome: { kind: 'scored', reward: 0.123 } }), 'both');
      const { key, task } = copy.records().find(learnt) as AttemptRecord;
      const { exit, out } = await audited(copy);
      expect(exit).toBe(6);
      expect(out).toMatch(new RegExp(`^FAIL judgements +${task} ${key.slice(0, 12)}#1`, 'm'));
      expect(out).toMatch(/^ok +barrier /m);
      expect(out).not.toContain('its search saw');
    });
  });

  test.each([
    ['the judge.json behind evidence', 'judge'],
    ['the trajectory behind evidence', 'trajectory'],
  ])('says of %s that was changed to restore it, not that the search saw what is held back', async (_, role) => {
    await withCopy(async (copy) => {
      const learnt = copy.records().find((record) => record.kind === 'attempt' && record.split === 'feedback');
      const digest = (learnt as AttemptRecord).blobs[role] ?? '';
      writeFileSync(copy.blobPath(digest), '{}');
      const { exit, out } = await audited(copy);
      expect(exit).toBe(6);
      expect(out).toContain(`blobs/sha256/${digest.slice(0, 2)}/${digest} is changed`);
      expect(out).not.toContain('its search saw');
    });
  });

  test('is what reports say of themselves: unaudited, audited over these records, unaudited since', async () => {
    await withCopy(async (copy) => {
      const said = (): string[] =>
        readdirSync(join(copy.folder, 'reports'))
          .filter((name) => !name.endsWith('.csv'))
          .flatMap(
            (name) => readFileSync(join(copy.folder, 'reports', name), 'utf8').match(/\b(un)?audited[-:\w ]*/g) ?? [],
          );
      const report = async (): Promise<string> => (await told(copy, `report ${copy.lock.id}`)).out;
      expect(said()).toEqual(['unaudited', expect.stringMatching(/^unaudited: anneal/)]);
      expect(await report()).toMatch(/^unaudited: anneal audit /m);
      expect((await audited(copy)).exit).toBe(0);
      expect(said()).toEqual(['audited', expect.stringMatching(/^audited 20/)]);
      expect((await audited(copy)).exit).toBe(0);
      const count = copy.records().length;
      expect(await report()).toMatch(new RegExp(`^audited 20.* 16 checks ok over ${count} records sha256:`, 'm'));
      copy.dropLine(3);
      expect(await report()).toMatch(/^unaudited since 20/m);
      expect((await audited(copy)).out).toContain('its report stays marked “unaudited”');
      expect(await report()).toMatch(/^unaudited: \d of 16 checks failed on 20/m);
    });
  });

  test('of a cancelled experiment does not ask for the result of a call that was cut off', async () => {
    await withCopy(async (copy) => {
      copy.forge(isClosing, (record) => ({ ...record, reason: 'cancelled' }), 'both');
      copy.sql("DELETE FROM effect WHERE key LIKE 'call:%'");
      expect((await audited(copy)).out).toMatch(/^ok +blobs /m);
    });
  });

  test('of an open experiment lets its last records be on their way, for a minute', async () => {
    await withCopy(async (copy) => {
      const closed = copy.records().length;
      copy.sql('DELETE FROM record WHERE seq = ?', [closed]);
      copy.dropLine(closed);
      const last = closed - 1;
      const said = async (): Promise<string> => (await audited(copy)).out;
      expect(await said()).toMatch(new RegExp(`^ok +records +${last} in the ledger, ${last} in files, equal`, 'm'));
      copy.dropLine(last);
      copy.touch(last, new Date(Date.now() - 120_000).toISOString());
      expect(await said()).toMatch(new RegExp(`^FAIL records +\\w+\\.jsonl: record ${last} is in no file$`, 'm'));
      copy.touch(last, new Date().toISOString());
      expect(await said()).toMatch(new RegExp(`^ok +records .* the last 1 of its ${last} are on their way$`, 'm'));
    });
  });

  test('of an open experiment tells what is wrong with sealed attempts as a count', async () => {
    await withCopy(async (copy) => {
      copy.forge(isClosing, (record) => ({ ...record, event: 'open-again' }), 'both');
      copy.forge(
        (record) => record.kind === 'attempt' && record.phase === 'final',
        (record) => ({ ...record, outcome: { kind: 'scored', reward: 0.123 } }),
        'both',
      );
      const { exit, out } = await audited(copy);
      expect(exit).toBe(6);
      expect(out).toMatch(/^FAIL judgements +2 of sealed attempts, told in full after close$/m);
      for (const secret of ['0.123', 'p4', 'x4', 'c1']) expect(out).not.toContain(secret);
    });
  });

  test('is refused over a frozen config that was changed', async () => {
    await withCopy(async (copy) => {
      const file = join(copy.folder, 'lock.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"seed": 7', '"seed": 8'));
      const { exit, errors } = await told(copy, 'audit');
      expect(exit).toBe(6);
      expect(errors).toContain('ANL-6001');
    });
  });
});

describe.concurrent('an experiment without its lock', () => {
  test.each(['audit', 'audit ID', 'audit NAME', 'report', 'report NAME', 'status ID'])(
    'is named by %s as damaged, not as one that never was',
    async (words) => {
      await withCopy(async (copy) => {
        rmSync(join(copy.folder, 'lock.json'));
        const { exit, errors } = await told(
          copy,
          words.replace('ID', copy.lock.id).replace('NAME', copy.lock.identity.name),
        );
        expect(exit).toBe(6);
        expect(errors).toContain(join(copy.folder, 'lock.json'));
      });
    },
  );
});

describe.concurrent('the numbers of a report derived again, by a script that shares no code with it', () => {
  const rederive = (folder: string) =>
    execa('python3', [join(packageRoot, 'scripts', 'rederive'), folder], { reject: false });

  test('agree with it, and nothing but a closed experiment is read', async () => {
    await withCopy(async (copy) => {
      const done = await rederive(copy.folder);
      expect(done.stdout).not.toContain('FAIL');
      for (const group of derivedGroups) {
        expect(done.stdout).toMatch(new RegExp(`^ok +${group} +[1-9]`, 'm'));
      }
      expect(done.exitCode).toBe(0);
      editFile(copy, 'records', /^decisions/, (text) => text.replaceAll('experiment-closed', 'x'));
      expect((await rederive(copy.folder)).exitCode).toBe(2);
    });
  });

  test('name a request that ended after the totals were written, with both figures, and are sound', async () => {
    await withCopy(async (copy) => {
      const { key, reserved, charged } = plantLateEnd(copy);
      await told(copy, `report ${copy.lock.id} --format md,csv,json`);
      const { exitCode, stdout } = await rederive(copy.folder);
      const said = `^note ${key.slice(0, 12)}#1 call 1.0 ended after .* ${reserved} tokens, .* then .*, ${charged} tokens, .* now$`;
      expect(stdout).toMatch(new RegExp(said, 'm'));
      expect([exitCode, (await audited(copy)).exit]).toEqual([0, 0]);
    });
  });

  test.each(changedNumbers)('differ as soon as %s is changed', async (_, change) => {
    await withCopy(async (copy) => {
      change(copy);
      const done = await rederive(copy.folder);
      expect(done.stdout).toContain('FAIL');
      expect(done.exitCode).toBe(6);
    });
  });
});

describe('an attempt whose judge failed', () => {
  test('is judged again in real jails to the score it had, and the report follows', async () => {
    await withCopy(async (copy) => {
      const engine = createEngine(copy.home, { ...process.env, ANNEAL_HOME: copy.home.root, TEMPORAL_ADDRESS: '' });
      const { key, epoch, outcome } = plantJudgeFailure(copy);
      try {
        await engine.up(() => {});
        await engine.rejudge(copy.lock, [{ key, epoch, judgement: 2 }]);
      } finally {
        await engine.down({ now: true }, () => {});
      }
      const again = copy.records().find(({ kind }) => kind === 'judgement');
      expect(again).toMatchObject({ key, epoch, judgement: 2, outcome });
      const { exit, out } = await audited(copy);
      expect(out).not.toContain('FAIL');
      expect(exit).toBe(0);
    });
  }, 120_000);
});
