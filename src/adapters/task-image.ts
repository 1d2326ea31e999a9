import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, normalize, posix } from 'node:path';
import { DockerfileParser, type Copy, type Env, type Instruction } from 'dockerfile-ast';
import { z } from 'zod';
import { AnnealError } from '../domain/errors.ts';
import type { TaskId } from '../schema/ids.ts';
import { readNamedText } from './named-file.ts';
import { parsedJson } from '../domain/parsed-json.ts';

const notSpent = 'nothing was started, 0 tokens spent';

/** What a task's Dockerfile asks of a sandbox without images. */
export interface TaskImage {
  /** Absolute path inside the jail; the working directory of every command. */
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Host source (file or directory) and absolute destination inside the jail, in order. */
  readonly copies: readonly { readonly source: string; readonly destination: string }[];
}

/** Folders that jails mount themselves: a working directory in, at or above one would hide it or be hidden. */
const reserved = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/run',
]
  .concat(['/opt/solver', '/opt/runner', '/opt/anneal-runner', '/opt/harness', '/opt/attempt', '/opt/judges'])
  .concat(['/tests', '/logs', '/out']);

interface Place {
  readonly task: TaskId;
  readonly folder: string;
  readonly file: string;
}

/**
 * Read the Dockerfile of an environment folder for the bubblewrap driver: one FROM, WORKDIR, ENV and COPY are honoured.
 * Copies must land in the working directory.
 * @throws AnnealError ANL-1202 for any other instruction and for options, variables or here-documents in these;
 * ANL-1203 for a COPY that leaves the folder, misses its source or the working directory.
 */
export function readTaskImage(task: TaskId, folder: string): TaskImage {
  const place = { task, folder, file: join(folder, 'Dockerfile') };
  if (!existsSync(place.file)) {
    throw new AnnealError(
      'ANL-1202',
      { instruction: '(no Dockerfile)', task, driver: 'bubblewrap' },
      { at: [{ file: folder }], notSpent },
    );
  }
  let workdir = '/';
  let stages = 0;
  const environment: Record<string, string> = {};
  const copies: { source: string; destination: string }[] = [];
  const dockerfile = DockerfileParser.parse(readNamedText(place.file));
  for (const instruction of dockerfile.getInstructions()) {
    const keyword = instruction.getKeyword();
    if (instruction.getVariables().length > 0) refuse(place, instruction, `${keyword} with variables`);
    if (keyword === 'FROM') {
      stages++;
      if (stages > 1) refuse(place, instruction, 'a second FROM');
    } else if (keyword === 'WORKDIR') {
      workdir = workdirOf(place, instruction, workdir);
    } else if (keyword === 'ENV') {
      for (const property of (instruction as Env).getProperties()) {
        environment[property.getName()] = property.getValue() ?? '';
      }
    } else if (keyword === 'COPY') copies.push(...copiesOf(place, instruction as Copy, workdir));
    else refuse(place, instruction, keyword);
  }
  if (workdir === '/') {
    throw new AnnealError(
      'ANL-1203',
      { task },
      { at: [{ file: place.file }], why: 'WORKDIR is missing or is /', notSpent },
    );
  }
  return { workdir, environment, copies };
}

function workdirOf(place: Place, instruction: Instruction, before: string): string {
  const workdir = posix.resolve(before, instruction.getArgumentsContent() ?? '/');
  const taken = reserved.find((path) => `${workdir}/`.startsWith(`${path}/`) || path.startsWith(`${workdir}/`));
  if (workdir !== '/' && taken !== undefined)
    invalid(place, instruction, `${workdir} overlaps ${taken}, which jails use`);
  return workdir;
}

function copiesOf(place: Place, instruction: Copy, workdir: string): { source: string; destination: string }[] {
  if (instruction.getFlags().length > 0) refuse(place, instruction, 'COPY with options');
  const words = wordsOf(instruction);
  const target = words.at(-1);
  if (target === undefined || words.length < 2) refuse(place, instruction, 'COPY without a destination');
  if (words.some((word) => word.startsWith('<<'))) refuse(place, instruction, 'COPY of a here-document');
  const directory = target.endsWith('/') || words.length > 2;
  const base = posix.resolve(workdir, target);
  if (workdir === '/' || !`${base}/`.startsWith(`${workdir}/`)) {
    invalid(place, instruction, `${target} is outside the working directory ${workdir}`);
  }
  return words.slice(0, -1).map((word) => {
    const source = normalize(join(place.folder, word)).replace(/\/$/, '');
    if (isAbsolute(word) || !`${source}/`.startsWith(`${normalize(place.folder)}/`)) {
      invalid(place, instruction, `${word} is outside environment/`);
    }
    if (!existsSync(source)) invalid(place, instruction, `${word} does not exist`);
    const into = directory && !statSync(source).isDirectory();
    return { source, destination: into ? posix.join(base, posix.basename(word)) : base };
  });
}

/** Words of the plain form or of the JSON form, where they may hold blanks. */
function wordsOf(instruction: Copy): string[] {
  const quoted = z.array(z.string()).safeParse(parsedJson(instruction.getArgumentsContent() ?? ''));
  return quoted.success ? quoted.data : instruction.getArguments().map((argument) => argument.getValue());
}

function lineOf(instruction: Instruction): number {
  return instruction.getRange().start.line + 1;
}

function invalid({ task, file }: Place, instruction: Instruction, why: string): never {
  throw new AnnealError('ANL-1203', { task }, { at: [{ file, line: lineOf(instruction) }], why, notSpent });
}

function refuse({ task, file }: Place, instruction: Instruction, keyword: string): never {
  throw new AnnealError(
    'ANL-1202',
    { instruction: keyword, task, driver: 'bubblewrap' },
    { at: [{ file, line: lineOf(instruction) }], notSpent },
  );
}
