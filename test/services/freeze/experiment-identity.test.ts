import { renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { isAnnealError } from '../../../src/domain/errors.ts';
import { type FrozenExperiment, freezeExperiment } from '../../../src/services/freeze/freeze-experiment.ts';
import {
  type ExperimentFiles,
  type ExperimentFolder,
  layOut,
  replaced,
  validExperiment,
} from '../../support/experiment-files.ts';

const folders: ExperimentFolder[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function freeze(files: ExperimentFiles, environment: NodeJS.ProcessEnv = {}): Promise<FrozenExperiment> {
  const folder = layOut(files);
  folders.push(folder);
  return freezeExperiment(folder.file, folder.home, environment, () => {});
}

async function idOf(files: ExperimentFiles, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  return (await freeze(files, environment)).lock.id;
}

const yaml = (what: string, by: string): ExperimentFiles => replaced(validExperiment, 'experiment.yaml', what, by);
const openAi = 'provider: openai\n    model: m\n    baseUrl: http://127.0.0.1:1/v1';
const real = replaced(
  yaml('provider: simulated\n    world: no-transfer', openAi),
  'experiment.yaml',
  'provider: simulated\n    world: no-transfer',
  openAi,
);

describe('what decides a number decides the id', () => {
  test.each<[string, ExperimentFiles]>([
    ['the seed', yaml('seed: 7', 'seed: 8')],
    ['the name', yaml('name: tiny', 'name: tinier')],
    ['an arm left out', yaml('  - name: static\n    updater: static\n', '')],
    [
      'the order of arms',
      yaml(
        'name: static\n    updater: static\n  - name: ace\n    updater: ace',
        'name: ace\n    updater: ace\n  - name: static\n    updater: ace',
      ),
    ],
    ['the operations of a curator', yaml('[ADD]', '[ADD, DELETE]')],
    ['the reporting rule', yaml('rule: gated', 'rule: best-evolved')],
    ['the rounding of what is disclosed', yaml('rule: gated', 'disclosurePoints: 5')],
    [
      'an output cap',
      yaml(
        '    world: no-transfer\n  updater',
        '    world: no-transfer\n    sampling: { maxOutputTokens: 99 }\n  updater',
      ),
    ],
    [
      'the world',
      {
        ...validExperiment,
        'experiment.yaml': (validExperiment['experiment.yaml'] ?? '').replaceAll('no-transfer', '"null"'),
      },
    ],
    [
      'the fault profile',
      {
        ...validExperiment,
        'experiment.yaml': (validExperiment['experiment.yaml'] ?? '').replaceAll(
          'world: no-transfer',
          'world: no-transfer\n    faults: stalls',
        ),
      },
    ],
    ['a budget of the attempt', replaced(validExperiment, 'budgets.yaml', 'calls: 5', 'calls: 6')],
    ['a budget of the arm', replaced(validExperiment, 'budgets.yaml', 'candidates: 3', 'candidates: 2')],
    [
      'a task in another split',
      replaced(
        replaced(validExperiment, 'splits.yaml', '  - desk/d1\n', ''),
        'splits.yaml',
        '- desk/d2',
        '- desk/d2\n  - desk/d1',
      ),
    ],
    ['a byte of an instruction', replaced(validExperiment, 'tasks/d1/instruction.md', 'figures', 'figuren')],
    ['a byte of an input', replaced(validExperiment, 'tasks/c1/environment/inputs/in.txt', '1', '2')],
    ['a byte of a test', replaced(validExperiment, 'tasks/d1/tests/test.sh', 'exit 0', 'exit 1')],
    ['a file more in a task', { ...validExperiment, 'tasks/d1/tests/more.txt': '' }],
    ['a byte of the agent', replaced(validExperiment, 'harness/agent.py', 'agent', 'Agent')],
    ['a byte of the playbook', { ...validExperiment, 'harness/playbook.md': ' ' }],
  ])('%s', async (_, files) => {
    expect(await idOf(files)).not.toBe(await idOf(validExperiment));
  });
});

describe('what decides no number leaves the id alone', () => {
  test.each<[string, ExperimentFiles, ExperimentFiles?]>([
    ['lanes', yaml('lanes: 2', 'lanes: 8')],
    ['the level of the sandbox', yaml('lanes: 2', 'sandbox: { level: user }')],
    ['comments', yaml('seed: 7', '# seven\nseed: 7')],
    ['the order of keys', yaml('version: 1\nname: tiny', 'name: tiny\nversion: 1')],
    [
      'the order of tasks in a split',
      replaced(validExperiment, 'splits.yaml', '- desk/p1\n  - desk/d1', '- desk/d1\n  - desk/p1'),
    ],
    ['the names of splits and budgets files', replaced(validExperiment, 'splits.yaml', 'name: tiny', 'name: other')],
    [
      'a default that is written out',
      yaml('rule: gated', 'rule: gated\n  coverageFloor: { selection: 1, final: 0.95 }'),
    ],
    ['caches beside the harness', { ...validExperiment, 'harness/__pycache__/agent.cpython-311.pyc': 'x' }],
  ])('%s', async (_, files) => {
    expect(await idOf(files)).toBe(await idOf(validExperiment));
  });

  test('where everything lies on the disk', async () => {
    const folder = layOut(validExperiment);
    folders.push(folder);
    const { lock: before } = await freezeExperiment(folder.file, folder.home, {}, () => {});
    renameSync(join(folder.root, 'tasks'), join(folder.root, 'elsewhere'));
    folder.write({
      'experiment.yaml': (validExperiment['experiment.yaml'] ?? '').replace('directory: tasks', 'directory: elsewhere'),
    });
    const { lock: after } = await freezeExperiment(folder.file, folder.home, {}, () => {});
    expect(after.digest).toBe(before.digest);
    expect(after.operational.taskDirectories).not.toEqual(before.operational.taskDirectories);
  });

  test('how a value came about: written, from a variable, or by default', async () => {
    const by = (seed: string): ExperimentFiles => yaml('name: tiny', `name: ${seed}`);
    const written = await idOf(by('tiny'));
    expect(await idOf(by('${WORD}'), { WORD: 'tiny' })).toBe(written);
    expect(await idOf(by('${WORD:-tiny}'))).toBe(written);
    expect(await idOf(by('${WORD:-tiny}'), { WORD: '' })).toBe(written);
    expect(await idOf(by('${WORD:-tiny}'), { WORD: 'huge' })).not.toBe(written);
  });

  test('any number of lanes', async () => {
    const expected = await idOf(validExperiment);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 512 }), async (lanes) => {
        expect(await idOf(yaml('lanes: 2', `lanes: ${lanes}`))).toBe(expected);
      }),
      { numRuns: 5 },
    );
  });
});

describe('a frozen config', () => {
  test('holds the wall time that a task asks for, within the bounds of the budget', async () => {
    const asking = (seconds: string): ExperimentFiles =>
      replaced(validExperiment, 'tasks/d1/task.toml', '45.0', seconds);
    const wallOf = async (seconds: string): Promise<number | undefined> =>
      (await freeze(asking(seconds))).lock.identity.tasks.find(({ id }) => id === 'desk/d1')?.wallMs;
    expect([await wallOf('45.0'), await wallOf('1'), await wallOf('9000')]).toEqual([45_000, 30_000, 60_000]);
  });

  test('says of every file where it lies and of the world what it is', async () => {
    const { lock } = await freeze(validExperiment);
    expect(lock.id).toBe(`exp_${lock.digest.slice(0, 8)}`);
    expect(Object.keys(lock.operational.taskDirectories).toSorted()).toEqual([
      'desk/c1',
      'desk/d1',
      'desk/d2',
      'desk/p1',
      'desk/x1',
    ]);
    expect(lock.identity.world).toMatch(/^[0-9a-f]{64}$/);
    expect((await freeze(real)).lock.identity.world).toBeNull();
  });

  test('has no value of a key variable anywhere', async () => {
    const keyed = replaced(real, 'experiment.yaml', 'model: m', 'model: m\n    keyVariable: MODEL_KEY');
    const { lock, configText } = await freeze(keyed, { MODEL_KEY: 'sk-very-secret' });
    expect(JSON.stringify(lock) + configText).not.toContain('sk-very-secret');
    expect(lock.identity.models.solver).toMatchObject({ keyVariable: 'MODEL_KEY' });
  });

  test('keeps the file as it was written, with its variables unexpanded', async () => {
    const { configText } = await freeze(yaml('name: tiny', 'name: ${WORD:-tiny}'), { WORD: 'small' });
    expect(configText).toContain('name: ${WORD:-tiny}');
  });

  test('takes a quoted or flow value at the same place as a plain one', async () => {
    const broken = freeze(
      yaml(
        'solver:\n    provider: simulated\n    world: no-transfer',
        'solver: { provider: simulated, world: "utopia" }',
      ),
    );
    await expect(broken).rejects.toSatisfy((error) => isAnnealError(error, 'ANL-1003') && error.at[0]?.column === 34);
  });
});
