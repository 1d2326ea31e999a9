import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, normalize, posix } from 'node:path';
import { DockerfileParser, type Env, type Instruction } from 'dockerfile-ast';
import { AnnealError } from '../domain/errors.ts';
import type { TaskId } from '../schema/ids.ts';

/** What a task's Dockerfile asks of a sandbox without images. */
export interface TaskImage {
  /** Absolute path inside the jail; the working directory of every command. */
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Host source (file or directory) and absolute destination inside the jail, in order. */
  readonly copies: readonly { readonly source: string; readonly destination: string }[];
}

/**
 * Read the Dockerfile of an environment folder for the bubblewrap driver: FROM, WORKDIR, ENV and COPY are honoured.
 * Copies must land in the working directory.
 * @throws AnnealError ANL-1202 for any other instruction, ANL-1203 for a COPY that leaves the folder or misses its source.
 */
export function readTaskImage(task: TaskId, folder: string): TaskImage {
  const file = join(folder, 'Dockerfile');
  if (!existsSync(file)) {
    throw new AnnealError('ANL-1202', { instruction: '(no Dockerfile)', task, driver: 'bubblewrap' });
  }
  let workdir = '/';
  const environment: Record<string, string> = {};
  const copies: { source: string; destination: string }[] = [];
  const dockerfile = DockerfileParser.parse(readFileSync(file, 'utf8'));
  for (const instruction of dockerfile.getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') continue;
    if (keyword === 'WORKDIR') workdir = posix.resolve(workdir, instruction.getArgumentsContent() ?? '/');
    else if (keyword === 'ENV') {
      for (const property of (instruction as Env).getProperties()) {
        environment[property.getName()] = property.getValue() ?? '';
      }
    } else if (keyword === 'COPY') copies.push(...copiesOf(task, folder, file, instruction, workdir));
    else refuse(task, file, instruction, keyword);
  }
  if (workdir === '/') {
    throw new AnnealError('ANL-1203', { task }, { at: [{ file }], why: 'WORKDIR is missing or is /' });
  }
  return { workdir, environment, copies };
}

function copiesOf(
  task: TaskId,
  folder: string,
  file: string,
  instruction: Instruction,
  workdir: string,
): { source: string; destination: string }[] {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  const target = words.at(-1);
  if (target === undefined || words.length < 2 || words.some((word) => word.startsWith('--'))) {
    refuse(task, file, instruction, 'COPY with options');
  }
  const directory = target.endsWith('/') || words.length > 2;
  return words.slice(0, -1).map((word) => {
    const source = normalize(join(folder, word));
    const at = [{ file, line: instruction.getRange().start.line + 1 }];
    if (isAbsolute(word) || !`${source}/`.startsWith(`${normalize(folder)}/`)) {
      throw new AnnealError('ANL-1203', { task }, { at, why: `${word} is outside environment/` });
    }
    if (!existsSync(source)) throw new AnnealError('ANL-1203', { task }, { at, why: `${word} does not exist` });
    const base = posix.resolve(workdir, target);
    return {
      source,
      destination:
        directory && !word.endsWith('/') && !isFolder(source) ? posix.join(base, posix.basename(word)) : base,
    };
  });
}

function isFolder(path: string): boolean {
  return existsSync(join(path, '.'));
}

function refuse(task: TaskId, file: string, instruction: Instruction, keyword: string): never {
  throw new AnnealError(
    'ANL-1202',
    { instruction: keyword, task, driver: 'bubblewrap' },
    { at: [{ file, line: instruction.getRange().start.line + 1 }], notSpent: 'nothing was started, 0 tokens spent' },
  );
}
