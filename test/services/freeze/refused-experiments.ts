import { refusedModels } from './refused-models.ts';
import { refusedPrices } from './refused-prices.ts';
import { refusedWorlds } from './refused-worlds.ts';
import { type ExperimentFiles, replaced, taskFiles, validExperiment, without } from '../../support/experiment-files.ts';

/** A set of files that must be refused, and how: the code, and the first place as `file:line:column`. */
export interface RefusedExperiment {
  readonly title: string;
  readonly files: ExperimentFiles;
  readonly code: string;
  readonly at: string;
}

const experiment = 'experiment.yaml';

/** `what` is replaced by `by` in a valid set; `at` is the place that the error must name. */
function row(title: string, path: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  return { title, files: replaced(validExperiment, path, what, by), code, at };
}

function yaml(title: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  return row(title, experiment, what, by, code, `${experiment}:${at}`);
}

function splits(title: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  return row(title, 'splits.yaml', what, by, code, `splits.yaml:${at}`);
}

function budgets(title: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  return row(title, 'budgets.yaml', what, by, code, `budgets.yaml:${at}`);
}

function toml(title: string, what: string, by: string, code: string, at: string): RefusedExperiment {
  return row(title, 'tasks/d1/task.toml', what, by, code, at);
}

function docker(title: string, what: string, by: string, code: string, line: number): RefusedExperiment {
  const file = 'tasks/d1/environment/Dockerfile';
  return row(title, file, what, by, code, `${file}:${line}`);
}

function missing(title: string, path: string, code: string, at: string): RefusedExperiment {
  return { title, files: without(validExperiment, path), code, at };
}

const experimentFile: readonly RefusedExperiment[] = [
  yaml('an open quote', 'name: tiny', 'name: "tiny', 'ANL-1001', '27:1'),
  yaml('a tab as indentation', '  - name: desk', '\t- name: desk', 'ANL-1001', '5:1'),
  yaml('a key given twice', 'seed: 7', 'seed: 7\nseed: 8', 'ANL-1001', '10:1'),
  yaml('an unclosed list', '[ADD]', '[ADD', 'ANL-1001', '17:1'),
  yaml('an unknown key at the top', 'seed: 7', 'seed: 7\nsede: 8', 'ANL-1002', '10:1'),
  yaml('an unknown key of a task source', 'directory: tasks', 'directory: tasks\n    glob: x', 'ANL-1002', '7:5'),
  yaml('an unknown key of an arm', '    updater: static', '    updater: static\n    lr: 1', 'ANL-1002', '13:5'),
  yaml('an unknown key of ACE', 'curatorOps: [ADD]', 'curatorOp: [ADD]', 'ANL-1002', '16:7'),
  yaml('an unknown role', 'models:', 'models:\n  critic: null', 'ANL-1002', '18:3'),
  yaml('an unknown key of a model', 'world: no-transfer', 'world: no-transfer\n    baseURL: x', 'ANL-1002', '21:5'),
  yaml(
    'an unknown key of sampling',
    'world: no-transfer',
    'world: no-transfer\n    sampling: { topK: 3 }',
    'ANL-1002',
    '21:17',
  ),
  yaml('an unknown key of reporting', 'rule: gated', 'rule: gated\n  floor: 1', 'ANL-1002', '26:3'),
  yaml('an unknown key of the sandbox', 'lanes: 2', 'sandbox: { image: x }', 'ANL-1002', '26:12'),
  yaml('no name', 'name: tiny\n', '', 'ANL-1006', '1:1'),
  yaml('no seed', 'seed: 7\n', '', 'ANL-1006', '1:1'),
  yaml('no arm name', '  - name: static\n    updater', '  - updater', 'ANL-1006', '11:5'),
  yaml('no updater model', '  updater:\n    provider: simulated\n    world: no-transfer\n', '', 'ANL-1006', '17:1'),
  yaml('no world', '    world: no-transfer\n  updater:', '  updater:', 'ANL-1006', '18:3'),
  yaml('no format version', 'version: 1\n', '', 'ANL-1006', '1:1'),
  yaml('a format version of the future', 'version: 1', 'version: 2', 'ANL-1003', '1:1'),
  yaml('a name with blanks', 'name: tiny', 'name: My Run', 'ANL-1003', '2:1'),
  yaml('a seed in words', 'seed: 7', 'seed: seven', 'ANL-1003', '9:1'),
  yaml('a negative seed', 'seed: 7', 'seed: -1', 'ANL-1003', '9:1'),
  yaml('a fractional seed', 'seed: 7', 'seed: 7.5', 'ANL-1003', '9:1'),
  yaml('no arms at all', 'updater: static', 'updater: nobody', 'ANL-1003', '12:5'),
  yaml('an operation that no curator has', '[ADD]', '[ADD, BURN]', 'ANL-1003', '16:25'),
  yaml('a playbook cap below a kilobyte', 'curatorOps: [ADD]', 'playbookBytes: 10', 'ANL-1003', '16:7'),
  yaml('an arm named like a path', 'name: ace', 'name: ../ace', 'ANL-1003', '13:5'),
  yaml('two arms of one name', 'name: ace', 'name: static', 'ANL-1003', '13:5'),
  yaml('an arm with the name of the shared one', 'name: ace', 'name: h0', 'ANL-1003', '13:5'),
  yaml('a provider that does not exist', 'provider: simulated', 'provider: oracle', 'ANL-1003', '19:5'),
  yaml('a world that does not exist', 'world: no-transfer', 'world: utopia', 'ANL-1003', '20:5'),
  yaml('an updater in another world', '    world: no-transfer\nrep', '    world: utopia\nrep', 'ANL-1003', '23:5'),
  yaml(
    'a judge model in another world than the rest',
    'reporting:',
    '  judge: { provider: simulated, world: "null" }\nreporting:',
    'ANL-1003',
    '24:33',
  ),
  yaml('a reporting rule that does not exist', 'rule: gated', 'rule: luckiest', 'ANL-1003', '25:3'),
  yaml('a coverage floor above one', 'rule: gated', 'coverageFloor: { final: 95 }', 'ANL-1003', '25:20'),
  yaml('no lanes', 'lanes: 2', 'lanes: 0', 'ANL-1003', '26:1'),
  yaml('a variable that is not set', 'name: tiny', 'name: ${NO_SUCH_VARIABLE}', 'ANL-1005', '2:7'),
  yaml('a variable without its end', 'name: tiny', 'name: ${TINY', 'ANL-1024', '2:7'),
  yaml('a variable in the default of another', 'name: tiny', 'name: ${A:-${B:-x}}', 'ANL-1024', '2:7'),
  yaml('an alias of nothing', 'harness: harness', 'harness: *nobody', 'ANL-1001', '3:10'),
  yaml('a second document', 'lanes: 2', 'lanes: 2\n---\nlanes: 3', 'ANL-1001', '27:1'),
  yaml('a variable set to nothing', 'splits: splits.yaml', 'splits: ${EMPTY}', 'ANL-1005', '7:9'),
  yaml('a splits file that does not exist', 'splits.yaml', 'elsewhere.yaml', 'ANL-1004', '7:1'),
  yaml('a budgets file that does not exist', 'budgets.yaml', 'elsewhere.yaml', 'ANL-1004', '8:1'),
  yaml('a harness folder that does not exist', 'harness: harness', 'harness: nowhere', 'ANL-1207', '3:1'),
];

const splitsFile: readonly RefusedExperiment[] = [
  splits('a split that is no list', 'selection:\n  - desk/x1', 'selection: desk/x1', 'ANL-1003', '6:1'),
  splits('an unknown split', 'selection:', 'validation:', 'ANL-1002', '6:1'),
  splits('no selection tasks', 'selection:\n  - desk/x1', 'selection: []', 'ANL-1003', '6:1'),
  splits('no final list', 'final-in-domain:\n  - desk/d2\n', '', 'ANL-1006', '1:1'),
  splits('a task id without a source', '- desk/d1', '- d1', 'ANL-1003', '5:5'),
  splits('a task twice in one split', '- desk/d1', '- desk/p1', 'ANL-1101', '4:5'),
  splits('a task in two splits', '- desk/x1', '- desk/d1', 'ANL-1101', '5:5'),
  splits('a task in feedback and final', '- desk/d2', '- desk/d1', 'ANL-1101', '5:5'),
  ...(
    [
      ['feedback', '- desk/d1', '5:5'],
      ['selection', '- desk/x1', '7:5'],
      ['the in-domain final', '- desk/d2', '9:5'],
    ] as const
  ).map(([split, task, at]) => ({
    title: `a cross-office task in ${split}`,
    files: replaced(
      replaced(validExperiment, 'splits.yaml', task, '- desk/c1'),
      'splits.yaml',
      'final-cross-office:\n  - desk/c1',
      'final-cross-office: []',
    ),
    code: 'ANL-1103',
    at: `splits.yaml:${at}`,
  })),
  {
    title: 'a document in the cross-office final',
    files: replaced(
      replaced(validExperiment, 'splits.yaml', '- desk/c1', '- desk/d2'),
      'splits.yaml',
      'final-in-domain:\n  - desk/d2',
      'final-in-domain: []',
    ),
    code: 'ANL-1104',
    at: 'splits.yaml:10:5',
  },
  splits('a task that does not exist', '- desk/d2', '- desk/d9', 'ANL-1201', '9:5'),
  splits('a source that does not exist', '- desk/d2', '- shelf/d2', 'ANL-1201', '9:5'),
  row(
    'a leakage group across feedback and final',
    'tasks/d2/task.toml',
    'group-d2',
    'group-d1',
    'ANL-1102',
    'splits.yaml:5:5',
  ),
  row(
    'one input file in feedback and final',
    'tasks/d2/environment/inputs/in.txt',
    'figures of d2',
    'figures of d1',
    'ANL-1105',
    'splits.yaml:5:5',
  ),
];

const budgetsFile: readonly RefusedExperiment[] = [
  budgets('an unknown limit', 'calls: 5', 'calls: 5\n  turns: 9', 'ANL-1002', '5:3'),
  budgets('an unknown budget of the arm', 'candidates: 3', 'candidates: 3\n  retries: 9', 'ANL-1002', '11:3'),
  budgets('no token limit', '  tokens: 10000\n', '', 'ANL-1006', '3:1'),
  budgets('a limit in words', 'calls: 5', 'calls: many', 'ANL-1003', '4:3'),
  budgets('no selection query for H0', 'selectionQueries: 4', 'selectionQueries: 0', 'ANL-1003', '11:3'),
  budgets('a wall of nothing', 'min: 30', 'min: 0', 'ANL-1003', '6:18'),
  budgets('bounds that cross', 'min: 30', 'min: 90', 'ANL-1003', '6:18'),
  budgets('a search without time', 'searchHours: 1', 'searchHours: 0', 'ANL-1003', '12:3'),
  budgets('a million candidates', 'candidates: 3', 'candidates: 1000000', 'ANL-1003', '10:3'),
];

const taskFolders: readonly RefusedExperiment[] = [
  toml('a broken task.toml', 'modality =', 'modality', 'ANL-1203', 'tasks/d1/task.toml:4:10'),
  toml('no leakage group', 'leakage_group = "group-d1"\n', '', 'ANL-1203', 'tasks/d1/task.toml:3:1'),
  toml('a modality of our own', '"document"', '"poem"', 'ANL-1203', 'tasks/d1/task.toml:4:1'),
  ...['../out.txt', '/etc/out.txt', 'a/../../out.txt', './out.txt', 'a//out.txt', ''].map((path) =>
    toml(`a deliverable at "${path}"`, '["out.txt"]', `["${path}"]`, 'ANL-1203', 'tasks/d1/task.toml:6:1'),
  ),
  row(
    'an instruction of blanks',
    'tasks/d1/instruction.md',
    'Write the figures of d1 to out.txt.',
    ' ',
    'ANL-1203',
    'tasks/d1/instruction.md',
  ),
  toml('no time for the agent', '45.0', '0', 'ANL-1203', 'tasks/d1/task.toml:9:1'),
  toml('a task of several steps', '[agent]', '[[steps]]\nname = "a"\n\n[agent]', 'ANL-1206', 'tasks/d1/task.toml:8:1'),
  toml(
    'a task that wants a GPU',
    '[agent]',
    '[environment]\ngpus = 1\n\n[agent]',
    'ANL-1206',
    'tasks/d1/task.toml:9:1',
  ),
  toml('a Windows task', '[agent]', '[environment]\nos = "windows"\n\n[agent]', 'ANL-1206', 'tasks/d1/task.toml:9:1'),
  toml(
    'a task that wants a network',
    '[agent]',
    '[environment]\nnetwork_mode = "public"\n\n[agent]',
    'ANL-1206',
    'tasks/d1/task.toml:9:1',
  ),
  {
    title: 'a task that needs vision',
    files: replaced(validExperiment, 'tasks/d1/task.toml', 'leakage_group', 'needs_vision = true\nleakage_group'),
    code: 'ANL-1206',
    at: 'splits.yaml:5:5',
  },
  missing('a task without instruction', 'tasks/d1/instruction.md', 'ANL-1203', 'tasks/d1'),
  missing('a task without tests', 'tasks/d1/tests', 'ANL-1203', 'tasks/d1'),
  missing('a task without task.toml', 'tasks/d1/task.toml', 'ANL-1203', 'tasks/d1'),
  missing('a task without Dockerfile', 'tasks/d1/environment/Dockerfile', 'ANL-1202', 'tasks/d1/environment'),
  docker('RUN in a Dockerfile', 'ENV DESK=1', 'RUN apt-get update', 'ANL-1202', 3),
  docker('USER in a Dockerfile', 'ENV DESK=1', 'USER root', 'ANL-1202', 3),
  docker('ARG in a Dockerfile', 'ENV DESK=1', 'ARG DESK=1', 'ANL-1202', 3),
  docker('a variable in a Dockerfile', 'ENV DESK=1', 'ENV DESK=$HOME', 'ANL-1202', 3),
  docker('a second stage', 'ENV DESK=1', 'FROM debian', 'ANL-1202', 3),
  docker('a here-document', 'COPY inputs/ /app/', 'COPY <<EOF /app/a\nx\nEOF', 'ANL-1202', 4),
  docker('COPY from another stage', 'COPY inputs/', 'COPY --from=build inputs/', 'ANL-1202', 4),
  docker('COPY that leaves its folder', 'COPY inputs/', 'COPY ../tests/', 'ANL-1203', 4),
  docker('COPY of an absolute path', 'COPY inputs/', 'COPY /etc/', 'ANL-1203', 4),
  docker('COPY of what is not there', 'COPY inputs/', 'COPY outputs/', 'ANL-1203', 4),
  docker('COPY outside the working directory', '/app/\n', '/etc/\n', 'ANL-1203', 4),
  docker('a working directory of a system', 'WORKDIR /app', 'WORKDIR /usr/bin', 'ANL-1203', 2),
  docker('no working directory', 'WORKDIR /app\n', '', 'ANL-1203', 3),
  {
    ...docker('no working directory and nothing to copy', 'WORKDIR /app\nENV DESK=1\nCOPY', '#', 'ANL-1203', 1),
    at: 'tasks/d1/environment/Dockerfile',
  },
];

const harnessFolder: readonly RefusedExperiment[] = [
  missing('a harness without agent.py', 'harness/agent.py', 'ANL-1207', 'experiment.yaml:3:1'),
  missing('a harness without a playbook', 'harness/playbook.md', 'ANL-1207', 'experiment.yaml:3:1'),
  {
    title: 'a harness with a fifth file',
    files: { ...validExperiment, 'harness/tools.py': '' },
    code: 'ANL-1207',
    at: 'experiment.yaml:3:1',
  },
  {
    title: 'a harness with a folder of its own',
    files: { ...validExperiment, 'harness/lib/tools.py': '' },
    code: 'ANL-1207',
    at: 'experiment.yaml:3:1',
  },
];

/** Everything that must be refused before anything is started. */
export const refusedExperiments: readonly RefusedExperiment[] = [
  ...experimentFile,
  ...refusedModels,
  ...refusedPrices,
  ...refusedWorlds,
  ...splitsFile,
  ...budgetsFile,
  ...taskFolders,
  ...harnessFolder,
  {
    title: 'a file of YAML that is no map',
    files: { ...validExperiment, 'experiment.yaml': '- version: 1\n' },
    code: 'ANL-1003',
    at: 'experiment.yaml:1:1',
  },
  {
    title: 'an empty file',
    files: { ...validExperiment, 'experiment.yaml': '' },
    code: 'ANL-1003',
    at: 'experiment.yaml',
  },
  missing('no file at all', 'experiment.yaml', 'ANL-1004', ''),
  yaml('a source without a folder', '    directory: tasks\n', '', 'ANL-1006', '5:5'),
  yaml('a pack that does not ship', 'name: desk\n    directory: tasks', 'pack: office-maxi', 'ANL-1003', '5:5'),
  {
    title: 'two tasks of one instruction, which a simulated solver cannot tell apart',
    files: {
      ...replaced(validExperiment, 'splits.yaml', '- desk/d1', '- desk/d1\n  - desk/d3'),
      ...taskFiles('d3'),
      'tasks/d3/instruction.md': validExperiment['tasks/d1/instruction.md'] ?? '',
    },
    code: 'ANL-1203',
    at: '',
  },
];
