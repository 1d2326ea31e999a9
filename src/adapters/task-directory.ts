import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TomlError, parse as parseToml } from 'smol-toml';
import { AnnealError } from '../domain/errors.ts';
import type { TaskId } from '../schema/ids.ts';
import { TaskToml } from '../schema/task.ts';
import { readNamedText } from './named-file.ts';
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
  refuseUnsupported(id, toml, join(path, 'task.toml'));
  return {
    id,
    path,
    instruction: readNamedText(join(path, 'instruction.md')),
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

function readTaskToml(id: TaskId, file: string): TaskToml {
  let raw: unknown;
  try {
    raw = parseToml(readNamedText(file));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const at = [{ file, line: error.line, column: error.column }];
    throw new AnnealError('ANL-1203', { task: id }, { at, why: error.message.split('\n')[0] ?? '', notSpent });
  }
  const parsed = TaskToml.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const why = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  throw new AnnealError('ANL-1203', { task: id }, { at: [{ file }], why, notSpent });
}

function refuseUnsupported(id: TaskId, toml: TaskToml, file: string): void {
  const { environment } = toml;
  const refused =
    (toml.steps !== undefined && 'steps (multi-step task)') ||
    ((environment.gpus ?? 0) > 0 && 'environment.gpus') ||
    (environment.os !== 'linux' && `environment.os = "${environment.os}"`) ||
    (environment.allowed_hosts !== undefined && 'environment.allowed_hosts') ||
    (environment.mcp_servers !== undefined && 'environment.mcp_servers') ||
    (environment.healthcheck !== undefined && 'environment.healthcheck');
  if (refused === false) return;
  throw new AnnealError('ANL-1206', { feature: refused, task: id }, { at: [{ file }], notSpent });
}
