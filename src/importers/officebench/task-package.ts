import { readFile } from 'node:fs/promises';
import type { OfficeBenchSpec } from '../../schema/officebench.ts';
import { sha256, type Tree } from './list-tree.ts';
import { dockerfile, notice, solveScript, specJson, type TaskMetadata, taskToml, testScript } from './package-files.ts';
import type { PackageFile } from './package-tree.ts';

/** Upstream's tools make these where they are missing; a task can rely on them. */
const testbedFolders = ['data', 'emails', 'calendar'] as const;

/** Everything that goes into one package; `instruction` is the text of instruction.md, `solution` that of solve.py. */
export interface TaskPackageInput {
  readonly metadata: TaskMetadata;
  readonly instruction: string;
  readonly items: OfficeBenchSpec['items'];
  readonly testbed: Tree;
  readonly references: Tree;
  readonly licence: string | null;
  readonly solution: string;
}

/** Everything of one package but `solution/careless.py`, which only replays can choose. */
export async function taskPackage(input: TaskPackageInput): Promise<{ files: PackageFile[]; folders: string[] }> {
  const { metadata, testbed, references } = input;
  const spec: OfficeBenchSpec = {
    version: 1,
    mode: 'faithful',
    sourceId: metadata.sourceId,
    canary: canary(metadata.sourceId),
    items: input.items,
  };
  const inputs = await copies(testbed, ['environment/testbed', 'tests/pristine']);
  const expected = await copies(references, ['tests/expected']);
  const folders = [...testbedFolders, ...testbed.folders].flatMap((folder) => [
    `environment/testbed/${folder}`,
    `tests/pristine/${folder}`,
  ]);
  const files: PackageFile[] = [
    { path: 'task.toml', bytes: taskToml(metadata) },
    { path: 'instruction.md', bytes: input.instruction },
    { path: 'NOTICE.md', bytes: notice(metadata) },
    { path: 'environment/Dockerfile', bytes: dockerfile },
    { path: 'tests/test.sh', bytes: testScript, executable: true },
    { path: 'tests/spec.json', bytes: specJson(spec) },
    { path: 'solution/solve.sh', bytes: solveScript, executable: true },
    { path: 'solution/solve.py', bytes: input.solution },
    ...inputs,
    ...expected,
  ];
  if (input.licence !== null) files.push({ path: 'LICENSE', bytes: input.licence });
  return { files, folders };
}

/** Only in sealed files, never in an instruction or an input. */
function canary(sourceId: string): string {
  return `anneal-canary-${sha256(`officebench ${sourceId}`).slice(0, 32)}`;
}

async function copies(tree: Tree, targets: readonly string[]): Promise<PackageFile[]> {
  const files: PackageFile[] = [];
  for (const file of tree.files) {
    const bytes = await readFile(file.absolute);
    files.push(...targets.map((target) => ({ path: `${target}/${file.path}`, bytes })));
  }
  return files;
}
