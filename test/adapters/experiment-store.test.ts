import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ExperimentStore } from '../../src/adapters/experiment-store.ts';
import type { ExperimentLock } from '../../src/schema/experiment-lock.ts';
import { TaskId } from '../../src/schema/ids.ts';
import { createDataHome } from '../../src/services/data-home/data-home.ts';
import { freezeExperiment } from '../../src/services/freeze/freeze-experiment.ts';
import { storeExperiment } from '../../src/services/freeze/store-experiment.ts';
import { type ExperimentFolder, layOut, validExperiment } from '../support/experiment-files.ts';

let folder: ExperimentFolder;
let lock: ExperimentLock;
let store: ExperimentStore;
const written: string[] = [];
const task = TaskId.parse('desk/d1');

beforeEach(async () => {
  folder = layOut(validExperiment);
  createDataHome(folder.home);
  const frozen = await freezeExperiment(folder.file, folder.home, {}, () => {});
  ({ lock } = await storeExperiment(folder.home, frozen, async () => false, false));
  store = new ExperimentStore(folder.home.experiments, folder.home.attempts, async (_, records, reports) => {
    written.push(`${reports}: ${records.length}`);
  });
});

afterEach(() => folder.remove());

describe('the experiments of a data home', () => {
  test('are read back as they were frozen', async () => {
    expect(await store.lock(lock.id)).toEqual(lock);
  });

  test('show of a task what an attempt needs, and nothing of its tests', async () => {
    const view = await store.task(lock.id, task);
    expect(view).toMatchObject({ workdir: '/app', environment: { DESK: '1' }, inputNames: ['in.txt'] });
    expect(view.instruction).toBe(validExperiment['tasks/d1/instruction.md']);
    expect(view.copies).toEqual([{ source: join(folder.root, 'tasks/d1/environment/inputs'), destination: '/app' }]);
  });

  test('refuse a task whose bytes changed since it was frozen', async () => {
    appendFileSync(join(folder.root, 'tasks/d1/tests/test.sh'), '# more\n');
    await expect(store.task(lock.id, task)).rejects.toMatchObject({ code: 'ANL-2004' });
  });

  test('refuse a task that the experiment does not have', async () => {
    await expect(store.task(lock.id, TaskId.parse('desk/z9'))).rejects.toMatchObject({ code: 'ANL-1201' });
  });

  test('give H0 as it was frozen, whatever became of the folder it came from', async () => {
    writeFileSync(join(folder.root, 'harness/agent.py'), 'other\n');
    const { files, digest } = await store.h0(lock.id);
    expect(Buffer.from(files['agent.py']).toString()).toBe(validExperiment['harness/agent.py']);
    expect(digest).toBe(lock.identity.harness);
    expect(store.digestOf(files)).toBe(lock.identity.harness);
  });

  test('refuse an H0 that was changed in the data home', async () => {
    writeFileSync(join(folder.home.experiments, lock.id, 'h0', 'agent.py'), 'other\n');
    await expect(store.h0(lock.id)).rejects.toMatchObject({ code: 'ANL-6001' });
  });

  test('know the canaries of sealed files', async () => {
    const canaries = await store.canaries(lock.id);
    expect(canaries).toHaveLength(5);
    expect(canaries.every((canary) => /^anneal-canary-[0-9a-f]{16}$/.test(canary))).toBe(true);
  });

  test('find canaries of tests alone where a task has no solution', async () => {
    const bare = layOut(validExperiment);
    try {
      createDataHome(bare.home);
      const frozen = await freezeExperiment(bare.file, bare.home, {}, () => {});
      const stored = await storeExperiment(bare.home, frozen, async () => false, false);
      const without = stored.lock.operational.taskDirectories['desk/d1'] ?? '';
      rmSync(join(without, 'solution'), { recursive: true });
      const other = new ExperimentStore(bare.home.experiments, bare.home.attempts, async () => {});
      expect(await other.canaries(stored.lock.id)).toHaveLength(5);
    } finally {
      bare.remove();
    }
  });

  test('give each epoch a state directory of its own, that may be removed twice', async () => {
    const one = store.stateDirectory('a'.repeat(64), 1);
    const two = store.stateDirectory('a'.repeat(64), 2);
    expect(one).not.toBe(two);
    mkdirSync(join(one, 'out'), { recursive: true });
    await store.removeStateDirectory(one);
    await store.removeStateDirectory(one);
    expect(existsSync(one)).toBe(false);
  });

  test('write reports into the folder of their experiment', async () => {
    await store.writeReports(lock, []);
    expect(written.at(-1)).toBe(`${join(folder.home.experiments, lock.id, 'reports')}: 0`);
  });
});
