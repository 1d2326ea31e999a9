import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TomlError, parse as parseToml } from 'smol-toml';
import { AnnealError } from '../domain/errors.ts';
import type { TaskId } from '../schema/ids.ts';
import { TaskToml } from '../schema/task.ts';
import { readNamedText } from './named-file.ts';
import { tomlPosition } from './toml-position.ts';
import { readTaskImage, type TaskImage } from './task-image.ts';

const notSpent = 'nothing was started, 0 tokens spent';

/** A Harbor task directory as anneal runs it. */
export interface TaskDirectory {
  readonly id: TaskId;
  readonly path: string;
  readonly instruction: string;
  readonly toml: TaskToml;
  readonly image: TaskImage;
}

/**
 * Read one task directory.
 * @throws AnnealError ANL-1201 when it does not exist, ANL-1203 for a damaged file (with its line), ANL-1206 for a
 * feature that cannot be honoured, ANL-1202 for a Dockerfile instruction that cannot.
 */
export function readTaskDirectory(id: TaskId, path: string): TaskDirectory {
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new AnnealError('ANL-1201', { task: id }, { at: [{ file: path }], notSpent });
  }
  for (const name of ['task.toml', 'instruction.md', 'tests/test.sh']) {
    if (!existsSync(join(path, name))) {
      throw new AnnealError('ANL-1203', { task: id }, { at: [{ file: path }], why: `${name} is missing`, notSpent });
    }
  }
  refuseOtherThanFiles(id, path);
  const toml = readTaskToml(id, join(path, 'task.toml'));
  return {
    id,
    path,
    instruction: readInstruction(id, join(path, 'instruction.md')),
    toml,
    image: readTaskImage(id, join(path, 'environment')),
  };
}

/** What no digest covers and no jail is given, a link into the tests for example, is no part of a task. */
function refuseOtherThanFiles(id: TaskId, path: string): void {
  const odd = readdirSync(path, { recursive: true, withFileTypes: true }).find(
    (entry) => !entry.isFile() && !entry.isDirectory(),
  );
  if (odd === undefined) return;
  const file = join(odd.parentPath, odd.name);
  const why = `${relative(path, file)} is ${odd.isSymbolicLink() ? 'a symbolic link' : 'no regular file'}`;
  throw new AnnealError('ANL-1203', { task: id }, { at: [{ file }], why, notSpent });
}

function readInstruction(id: TaskId, file: string): string {
  const text = readNamedText(file);
  if (text.trim() !== '') return text;
  throw new AnnealError('ANL-1203', { task: id }, { at: [{ file }], why: 'it tells the agent nothing', notSpent });
}

function readTaskToml(id: TaskId, file: string): TaskToml {
  const text = readNamedText(file);
  let raw: unknown;
  try {
    raw = parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const at = [{ file, line: error.line, column: error.column }];
    throw new AnnealError('ANL-1203', { task: id }, { at, why: error.message.split('\n')[0] ?? '', notSpent });
  }
  const parsed = TaskToml.safeParse(raw);
  if (parsed.success) {
    refuseUnsupported(id, parsed.data, file, text);
    return parsed.data;
  }
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const why = `${path.join('.')}: ${issue?.message ?? ''}`;
  throw new AnnealError('ANL-1203', { task: id }, { at: [{ file, ...tomlPosition(text, path) }], why, notSpent });
}

/** What a task asks for and would not get: it is named, never left out in silence. */
function refuseUnsupported(id: TaskId, toml: TaskToml, file: string, text: string): void {
  const unsupported = unsupportedIn(toml);
  if (unsupported === null) return;
  const { feature, path, why } = unsupported;
  const at = [{ file, ...tomlPosition(text, path) }];
  throw new AnnealError('ANL-1206', { feature, task: id }, { at, ...(why === undefined ? {} : { why }), notSpent });
}

interface Unsupported {
  readonly feature: string;
  readonly path: readonly string[];
  readonly why?: string;
}

const noNetwork = 'no jail has a network';

function unsupportedIn({ steps, environment, agent, verifier }: TaskToml): Unsupported | null {
  if (steps !== undefined) return { feature: 'steps (multi-step task)', path: ['steps'] };
  if ((environment.gpus ?? 0) > 0) return { feature: 'environment.gpus', path: ['environment', 'gpus'] };
  if (environment.os !== 'linux')
    return { feature: `environment.os = "${environment.os}"`, path: ['environment', 'os'] };
  if (environment.allow_internet === true)
    return {
      feature: 'environment.allow_internet = true',
      path: ['environment', 'allow_internet'],
      why: noNetwork,
    };
  for (const [name, { network_mode: mode, allowed_hosts: hosts }] of Object.entries({ environment, agent, verifier })) {
    if (mode !== undefined && mode !== 'no-network')
      return { feature: `${name}.network_mode = "${mode}"`, path: [name, 'network_mode'], why: noNetwork };
    if (hosts !== undefined) return { feature: `${name}.allowed_hosts`, path: [name, 'allowed_hosts'], why: noNetwork };
  }
  for (const key of ['mcp_servers', 'healthcheck'] as const) {
    if (environment[key] !== undefined) return { feature: `environment.${key}`, path: ['environment', key] };
  }
  return null;
}
