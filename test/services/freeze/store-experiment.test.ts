import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/domain/canonical-json.ts';
import { isAnnealError } from '../../../src/domain/errors.ts';
import {
  damagedExperiments,
  experimentDirectory,
  findExperiment,
  listExperiments,
} from '../../../src/services/data-home/experiment-directory.ts';
import { freezeExperiment } from '../../../src/services/freeze/freeze-experiment.ts';
import { type Stored, storeExperiment } from '../../../src/services/freeze/store-experiment.ts';
import { digestOf } from '../../support/lock-builder.ts';
import {
  type ExperimentFiles,
  type ExperimentFolder,
  layOut,
  replaced,
  validExperiment,
} from '../../support/experiment-files.ts';

let folder: ExperimentFolder;

beforeEach(() => {
  folder = layOut(validExperiment);
});

afterEach(() => folder.remove());

async function store(options: { open?: boolean; allowNew?: boolean; files?: ExperimentFiles } = {}): Promise<Stored> {
  if (options.files !== undefined) folder.write(options.files);
  const frozen = await freezeExperiment(folder.file, folder.home, {}, () => {});
  return storeExperiment(folder.home, frozen, async () => options.open ?? true, options.allowNew ?? false);
}

const yaml = (what: string, by: string): ExperimentFiles => replaced(validExperiment, 'experiment.yaml', what, by);

const closing = (experiment: string): unknown => ({
  kind: 'decision',
  version: 1,
  experiment,
  simulated: true,
  world: 'null',
  at: '2026-01-01T00:00:00.000Z',
  arm: null,
  event: 'experiment-closed',
  reason: 'complete',
  figures: {},
});

describe('storing an experiment', () => {
  test('twice is the same experiment, whose first date stays', async () => {
    const first = await store();
    const second = await store();
    expect([first.kind, second.kind]).toEqual(['new', 'known']);
    expect(second.lock).toEqual(first.lock);
    expect(listExperiments(folder.home)).toHaveLength(1);
  });

  test('takes over what may change on resume', async () => {
    const first = await store();
    const again = await store({ files: yaml('lanes: 2', 'lanes: 9') });
    expect(again).toMatchObject({ kind: 'known', lock: { id: first.lock.id, operational: { lanes: 9 } } });
    expect(findExperiment(folder.home, first.lock.id).operational.lanes).toBe(9);
  });

  test('leaves a closed one the prices that its money was reckoned at', async () => {
    const { lock } = await store();
    const { records, lock: file } = experimentDirectory(folder.home, lock.id);
    const solver = { kind: 'free', why: 'it was, then' } as const;
    const before = { ...lock, operational: { ...lock.operational, prices: { solver } } };
    writeFileSync(file, JSON.stringify(before));
    expect((await store()).lock.operational.prices).toEqual(lock.operational.prices);
    writeFileSync(file, JSON.stringify(before));
    writeFileSync(join(records, 'decisions.jsonl'), `${JSON.stringify(closing(lock.id))}\n`);
    expect((await store()).lock.operational.prices).toEqual({ solver });
  });

  test('keeps the prices that calls were made at when it goes on at others', async () => {
    const { lock } = await store();
    const { lock: file } = experimentDirectory(folder.home, lock.id);
    const solver = { kind: 'free', why: 'it was, then' } as const;
    writeFileSync(file, JSON.stringify({ ...lock, operational: { ...lock.operational, prices: { solver } } }));
    expect((await store()).lock.operational.earlierPrices).toEqual({ solver: [solver] });
    expect((await store()).lock.operational.earlierPrices).toEqual({ solver: [solver] });
  });

  test.each<[string, ExperimentFiles, string]>([
    ['the seed', yaml('seed: 7', 'seed: 8'), 'seed 7 → 8'],
    ['a budget', replaced(validExperiment, 'budgets.yaml', 'calls: 5', 'calls: 6'), 'budgets.attempt.calls 5 → 6'],
    ['a task', replaced(validExperiment, 'tasks/d1/tests/test.sh', 'exit 0', 'exit 1'), 'task desk/d1 changed'],
    ['the harness', replaced(validExperiment, 'harness/agent.py', 'agent', 'agents'), 'harness sha256:'],
    [
      'a split',
      replaced(
        replaced(validExperiment, 'splits.yaml', '  - desk/d1\n', ''),
        'splits.yaml',
        '- desk/d2',
        '- desk/d2\n  - desk/d1',
      ),
      'task desk/d1 feedback → final-in-domain',
    ],
    ['a task left out', replaced(validExperiment, 'splits.yaml', '  - desk/d1\n', ''), 'task desk/d1 left out'],
  ])('refuses another %s under an experiment that still runs, and says what differs', async (_, files, difference) => {
    const { lock } = await store();
    const error = await store({ files }).catch((thrown: unknown) => thrown);
    if (!isAnnealError(error, 'ANL-2001')) throw new Error('it was accepted');
    expect(error.why).toContain(difference);
    expect(error).toMatchObject({
      exit: 2,
      notSpent: 'nothing was started, 0 tokens spent',
      fields: { experiment: lock.id },
    });
    expect(error.next).toContain('--new');
    expect(listExperiments(folder.home)).toHaveLength(1);
  });

  test('takes a changed file for a new experiment where --new says so, or nothing of that name is open', async () => {
    const first = await store();
    const asked = await store({ files: yaml('seed: 7', 'seed: 8'), allowNew: true });
    const closed = await store({ files: yaml('seed: 7', 'seed: 9'), open: false });
    expect([asked.kind, closed.kind]).toEqual(['new', 'new']);
    expect(new Set([first.lock.id, asked.lock.id, closed.lock.id]).size).toBe(3);
  });

  test('does not mind an open experiment of another name', async () => {
    await store();
    expect((await store({ files: yaml('name: tiny', 'name: other') })).kind).toBe('new');
  });

  test('seals what a simulated solver knows, for its owner alone', async () => {
    const { lock } = await store();
    const { policies } = lock.operational;
    expect(policies).toBe(join(experimentDirectory(folder.home, lock.id).sealed, 'policies.json'));
    expect(statSync(policies ?? '').mode & 0o777).toBe(0o600);
  });

  test('freezes digests of what it keeps beside its identity: the file as last given, policies as first derived', async () => {
    const digests = (stored: Stored) => stored.lock.operational.fileDigests;
    const first = await store();
    const policies = readFileSync(first.lock.operational.policies ?? '', 'utf8');
    const text = (files: ExperimentFiles): string => digestOf(files['experiment.yaml'] ?? '');
    const frozen = { 'config.yaml': text(validExperiment), 'sealed/policies.json': digestOf(policies) };
    expect(digests(first)).toEqual(frozen);
    writeFileSync(first.lock.operational.policies ?? '', 'forged');
    const files = yaml('lanes: 2', 'lanes: 9');
    const again = await store({ files });
    expect(again.lock.digest).toBe(first.lock.digest);
    expect(digests(again)).toEqual({ ...frozen, 'config.yaml': text(files) });
  });

  test('freezes the digests of one that was stored before there were any', async () => {
    const { lock } = await store();
    const { lock: file } = experimentDirectory(folder.home, lock.id);
    const { fileDigests, ...operational } = lock.operational;
    writeFileSync(file, JSON.stringify({ ...lock, operational }));
    expect(findExperiment(folder.home, lock.id).operational.fileDigests).toBeUndefined();
    const again = await store();
    expect([again.kind, again.lock.operational.fileDigests]).toEqual(['known', fileDigests]);
  });

  test('leaves no trace when a task cannot be simulated', async () => {
    const files = { 'tasks/d1/instruction.md': validExperiment['tasks/p1/instruction.md'] ?? '' };
    await expect(store({ files })).rejects.toMatchObject({ code: 'ANL-1203' });
    expect(existsSync(folder.home.experiments)).toBe(false);
  });

  test('keeps H0 as it was when it was frozen', async () => {
    const { lock } = await store();
    folder.write({ 'harness/agent.py': 'changed\n' });
    const kept = join(experimentDirectory(folder.home, lock.id).root, 'h0');
    expect(readdirSync(kept).toSorted()).toEqual(['agent.py', 'environment.py', 'playbook.md', 'systemprompt.md']);
    expect(readFileSync(join(kept, 'agent.py'), 'utf8')).toBe(validExperiment['harness/agent.py']);
  });

  test('refuses another digest under an id that is taken', async () => {
    const { lock } = await store();
    const path = experimentDirectory(folder.home, lock.id).lock;
    const identity = { ...lock.identity, seed: lock.identity.seed + 1 };
    writeFileSync(path, JSON.stringify({ ...lock, identity, digest: digestOf(canonicalJson(identity)) }));
    await expect(store({ open: false })).rejects.toMatchObject({ code: 'ANL-6001' });
  });

  test.each([
    ['cut', (text: string): string => text.slice(0, 200)],
    ['emptied', (): string => ''],
    ['changed', (text: string): string => text.replace('"seed": 7', '"seed": 8')],
  ])('writes a lock again that was %s, from the unchanged file only', async (_, damage) => {
    const { lock } = await store();
    const { lock: path } = experimentDirectory(folder.home, lock.id);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, damage(before));
    expect(damagedExperiments(folder.home).map(({ name }) => name)).toEqual([lock.id]);
    expect(listExperiments(folder.home)).toEqual([]);
    expect(() => findExperiment(folder.home, lock.id)).toThrow(expect.objectContaining({ code: 'ANL-6001' }));
    await expect(store({ files: yaml('seed: 7', 'seed: 9') })).rejects.toMatchObject({ code: 'ANL-6001' });
    expect((await store({ files: validExperiment })).lock.digest).toBe(lock.digest);
    expect(damagedExperiments(folder.home)).toEqual([]);
  });
});

describe('finding an experiment', () => {
  test('goes by id, by any prefix of it, by name, and the newest without either', async () => {
    const first = await store();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await store({ files: yaml('name: tiny', 'name: other'), open: false });
    const found = (wanted?: string): string => findExperiment(folder.home, wanted).id;
    expect(found(first.lock.id)).toBe(first.lock.id);
    expect(found(first.lock.digest.slice(0, 6))).toBe(first.lock.id);
    expect(found('tiny')).toBe(first.lock.id);
    expect(found()).toBe(second.lock.id);
    expect(listExperiments(folder.home).map(({ id }) => id)).toEqual([second.lock.id, first.lock.id]);
  });

  test('says so when nothing fits, and when several do', async () => {
    await expect(async () => findExperiment(folder.home, undefined)).rejects.toMatchObject({ code: 'ANL-1019' });
    await store();
    await store({ files: yaml('seed: 7', 'seed: 8'), open: false });
    await expect(async () => findExperiment(folder.home, 'exp_')).rejects.toMatchObject({ code: 'ANL-1009' });
    await expect(async () => findExperiment(folder.home, 'nobody')).rejects.toMatchObject({ code: 'ANL-1008' });
  });

  test.each([
    ['removed', (path: string): void => rmSync(path)],
    ['cut', (path: string): void => writeFileSync(path, '{"version":')],
  ])('goes by its name too where the lock was %s, unless a sound one has that name', async (_, damage) => {
    const { lock } = await store();
    const { lock: path, records } = experimentDirectory(folder.home, lock.id);
    writeFileSync(join(records, 'decisions.jsonl'), `${JSON.stringify(closing(lock.id))}\n`);
    damage(path);
    const other = await store({ files: yaml('name: tiny', 'name: other'), allowNew: true });
    const found = (wanted: string): string => findExperiment(folder.home, wanted).id;
    const object = expect.stringContaining(lock.id) as string;
    const refusal = { code: 'ANL-6001', fields: { object } };
    expect(() => found('tiny')).toThrow(expect.objectContaining(refusal));
    expect(() => found('nobody')).toThrow(expect.objectContaining({ code: 'ANL-1008' }));
    expect(found('other')).toBe(other.lock.id);
    const sound = await store({ files: yaml('seed: 7', 'seed: 8'), allowNew: true });
    expect(found('tiny')).toBe(sound.lock.id);
  });

  test('of one whose lock was removed tells that, not that there is none', async () => {
    const { lock } = await store();
    rmSync(experimentDirectory(folder.home, lock.id).lock);
    const why = expect.stringContaining('lock.json is missing') as string;
    const refusal = { code: 'ANL-6001', why };
    for (const wanted of [lock.id, lock.digest.slice(0, 6)]) {
      await expect(async () => findExperiment(folder.home, wanted)).rejects.toMatchObject(refusal);
    }
  });

  test('leaves out a folder without a readable lock', async () => {
    await store();
    mkdirSync(join(folder.home.experiments, 'exp_ffffffff'));
    writeFileSync(join(folder.home.experiments, 'exp_ffffffff', 'lock.json'), '{"version":');
    expect(listExperiments(folder.home)).toHaveLength(1);
  });
});
