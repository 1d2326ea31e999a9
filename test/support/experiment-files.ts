import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataHomeAt, type DataHome } from '../../src/services/data-home/data-home.ts';
import { memoryFolder } from './memory-folder.ts';

/** Files of an experiment by path relative to its folder. */
export type ExperimentFiles = Readonly<Record<string, string>>;

const experiment = `version: 1
name: tiny
harness: harness
tasks:
  - name: desk
    directory: tasks
splits: splits.yaml
budgets: budgets.yaml
seed: 7
arms:
  - name: static
    updater: static
  - name: ace
    updater: ace
    settings:
      curatorOps: [ADD]
models:
  solver:
    provider: simulated
    world: no-transfer
  updater:
    provider: simulated
    world: no-transfer
reporting:
  rule: gated
lanes: 2
`;

const splits = `version: 1
name: tiny
feedback:
  - desk/p1
  - desk/d1
selection:
  - desk/x1
final-in-domain:
  - desk/d2
final-cross-office:
  - desk/c1
`;

const budgets = `version: 1
name: tiny
attempt:
  calls: 5
  tokens: 10000
  wallSeconds: { min: 30, max: 60 }
  infrastructureRetries: 1
arm:
  updaterTokens: 100000
  candidates: 3
  selectionQueries: 4
  searchHours: 1
`;

const modalities = { p: 'presentation', d: 'document', x: 'spreadsheet', c: 'cross-office' } as const;

/** The files of one valid task named, for example, `p1`; its inputs and texts are its own. */
export function taskFiles(name: string): ExperimentFiles {
  const folder = `tasks/${name}`;
  const modality = modalities[name.charAt(0) as keyof typeof modalities];
  return {
    [`${folder}/task.toml`]: `schema_version = "1.4"

[metadata]
modality = "${modality}"
leakage_group = "group-${name}"
deliverables = ["out.txt"]

[agent]
timeout_sec = 45.0

[verifier]
timeout_sec = 20.0
`,
    [`${folder}/instruction.md`]: `Write the figures of ${name} to out.txt.\n`,
    [`${folder}/environment/Dockerfile`]: 'FROM python:3.11-slim\nWORKDIR /app\nENV DESK=1\nCOPY inputs/ /app/\n',
    [`${folder}/environment/inputs/in.txt`]: `figures of ${name}: ${'1234567890 '.repeat(8)}\n`,
    [`${folder}/tests/test.sh`]: `# anneal-canary-${Buffer.from(name).toString('hex').padStart(16, '0')}\nexit 0\n`,
    [`${folder}/solution/solve.py`]: "open('out.txt', 'w').write('right')\n",
    [`${folder}/replays/trap.py`]: "open('out.txt', 'w').write('wrong')\n",
  };
}

/** A valid experiment of five small tasks, one per split and modality but for a second document. */
export const validExperiment: ExperimentFiles = {
  'experiment.yaml': experiment,
  'splits.yaml': splits,
  'budgets.yaml': budgets,
  'harness/agent.py': '# agent\n',
  'harness/environment.py': '# environment\n',
  'harness/systemprompt.md': 'You work.\n',
  'harness/playbook.md': '',
  ...Object.assign({}, ...['p1', 'd1', 'x1', 'd2', 'c1'].map(taskFiles)),
};

/** Replaces `from`, which must occur, in one of the files. */
export function replaced(files: ExperimentFiles, path: string, from: string, to: string): ExperimentFiles {
  const text = files[path];
  if (text === undefined || !text.includes(from)) throw new Error(`${path} does not contain ${from}`);
  return { ...files, [path]: text.replace(from, () => to) };
}

/** The files without those at or below a path, which must exist. */
export function without(files: ExperimentFiles, path: string): ExperimentFiles {
  const left = Object.entries(files).filter(([name]) => name !== path && !name.startsWith(`${path}/`));
  if (left.length === Object.keys(files).length) throw new Error(`there is no ${path}`);
  return Object.fromEntries(left);
}

/** An experiment's folder on disk with a data home beside it. */
export interface ExperimentFolder {
  readonly root: string;
  /** Path of `experiment.yaml`. */
  readonly file: string;
  readonly home: DataHome;
  readonly write: (files: ExperimentFiles) => void;
  readonly remove: () => void;
}

/** Lay out files in a fresh folder; nothing is started, the data home is not created. */
export function layOut(files: ExperimentFiles): ExperimentFolder {
  const root = realpathSync(mkdtempSync(join(memoryFolder(), 'anneal-files-')));
  const write = (more: ExperimentFiles): void => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write(files);
  const home = dataHomeAt(join(root, 'home'));
  return {
    root,
    file: join(root, 'experiment.yaml'),
    home,
    write,
    remove: () => {
      rmSync(root, { recursive: true, force: true });
      rmSync(home.staging, { recursive: true, force: true });
    },
  };
}
