import { carelessVariants } from './careless-variants.ts';
import { requiredFiles } from './evaluated-paths.ts';
import { isPicture, type TaskFacts, withoutSenderCopies } from './findings.ts';
import { type Inspection, stem } from './inspect-source.ts';
import { instruction } from './instruction.ts';
import { hasExpectedFile, keyOracle } from './key-oracle.ts';
import { modality } from './modality.ts';
import { checkNames } from './name-check.ts';
import type { Provenance, TaskMetadata } from './package-files.ts';
import type { PackageFile } from './package-tree.ts';
import type { SourceSubtask, SourceTask } from './read-source.ts';
import { solutionScript } from './solution-script.ts';
import { taskPackage } from './task-package.ts';

/** One upstream subtask with everything that was learnt about it and its group. */
export interface DraftInput {
  readonly task: SourceTask;
  readonly subtask: SourceSubtask;
  readonly provenance: Provenance;
  readonly leakageGroup: string;
  readonly inspection: Inspection;
  readonly licence: string | null;
  /** Text of `officebench_oracle.py`. */
  readonly library: string;
}

/** A package that has not been replayed. */
export interface TaskDraft {
  readonly metadata: TaskMetadata;
  readonly files: PackageFile[];
  readonly folders: string[];
  readonly oracle: string;
  readonly alternatives: Readonly<Record<string, string>>;
  /** Candidates for `solution/careless.py`, the preferred first. */
  readonly careless: readonly string[];
  readonly facts: Omit<TaskFacts, 'replays' | 'careless' | 'overlay'>;
}

/** Converts one subtask. Reads the input files; writes nothing. */
export async function draftTask(input: DraftInput): Promise<TaskDraft> {
  const { task, subtask, inspection, library } = input;
  const { items } = subtask;
  const { username } = subtask.subtask;
  const inputs = task.testbed.files.map(({ path }) => path);
  const inputSet = new Set(inputs);
  const metadata = metadataOf(input, inputs);
  const expectedRows = new Map(
    task.references.files.flatMap(({ path, sha256 }) => {
      const rows = inspection.rows.get(sha256);
      return rows === undefined ? [] : [[`expected/${path}`, rows] as const];
    }),
  );
  const actions = (senderCopies: boolean) =>
    keyOracle({ items, username, inputs: inputSet, expectedRows, senderCopies });
  const script = (steps: ReturnType<typeof actions>, how: string) =>
    solutionScript(library, steps, `OfficeBench ${metadata.sourceId}, ${how}.`);
  const careful = actions(true);
  const plain = actions(false);
  const oracle = script(careful, 'derived from its evaluation keys');
  const alternatives =
    plain.length === careful.length ? {} : { [withoutSenderCopies]: script(plain, 'without copies for the sender') };
  return {
    metadata,
    ...(await taskPackage({
      metadata,
      instruction: instruction(subtask.subtask, items, inputSet),
      items: [...items],
      testbed: task.testbed,
      references: task.references,
      licence: input.licence,
      solution: oracle,
    })),
    oracle,
    alternatives,
    careless: carelessVariants(careful).map((steps) => script(steps, 'with a typical fault')),
    facts: {
      items,
      names: checkNames(subtask.subtask.task, items, inputs),
      hasTestbed: inputs.length > 0,
      missingInputs: missingInputs(items, inputSet),
      pictures: picturesOf(input),
      answersInInputs: answersInInputs(input),
      answersInFileNames: answersInFileNames(input, inputSet),
    },
  };
}

function metadataOf(input: DraftInput, inputs: readonly string[]): TaskMetadata {
  const { task, subtask, provenance, leakageGroup } = input;
  const deliverables = requiredFiles(subtask.items);
  return {
    name: `${task.id}-${subtask.number}`,
    sourceId: `${task.id}/${subtask.number}`,
    provenance,
    modality: modality(subtask.items, inputs),
    leakageGroup,
    deliverables,
    inputSha256: Object.fromEntries(task.testbed.files.map(({ path, sha256 }) => [path, sha256])),
    editTask: deliverables.some((path) => inputs.includes(path)),
    needsVision: picturesOf(input).length > 0,
    oracle: hasExpectedFile(subtask.items) ? 'expected' : 'derived',
  };
}

function picturesOf({ task, inspection }: DraftInput): string[] {
  return task.testbed.files
    .filter(({ path, sha256 }) => isPicture(path, inspection.characters.get(sha256) ?? 0))
    .map(({ path }) => path);
}

function missingInputs(items: SourceSubtask['items'], inputs: ReadonlySet<string>): string[] {
  const compared = items.flatMap((item) => (item.function === 'diff_contain_text' ? [item.input] : []));
  return compared.map((path) => path.replace(/^pristine\//, '')).filter((path) => !inputs.has(path));
}

function answersInInputs({ task, subtask }: DraftInput): string[] {
  const inputs = new Set(task.testbed.files.map(({ sha256 }) => sha256));
  const expected = subtask.items.flatMap((item) => (item.function === 'exact_match' ? [item.expected] : []));
  return task.references.files
    .filter(({ path, sha256 }) => expected.includes(`expected/${path}`) && inputs.has(sha256))
    .map(({ path }) => path);
}

function answersInFileNames({ task, subtask, inspection }: DraftInput, inputs: ReadonlySet<string>): string[] {
  const words = new Set(task.testbed.files.flatMap(({ sha256 }) => inspection.words.get(sha256) ?? []));
  const text = subtask.subtask.task.toLowerCase();
  return requiredFiles(subtask.items).filter(
    (path) => !inputs.has(path) && words.has(stem(path)) && !text.includes(stem(path).toLowerCase()),
  );
}
