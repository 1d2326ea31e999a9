import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byteDigest } from './byte-digest.ts';
import { codeUnitOrder } from '../domain/code-unit-order.ts';
import { AnnealError } from '../domain/errors.ts';
import type { TaskId } from '../schema/ids.ts';
import { PolicyBook, normaliseInstruction } from '../schema/policy-book.ts';
import type { TaskPolicy } from '../schema/policy-book.ts';
import type { Modality } from '../schema/splits.ts';

/** What the book needs to know of a task. */
export interface PolicySource {
  readonly id: TaskId;
  /** The task directory. */
  readonly path: string;
  /** The text of instruction.md. */
  readonly instruction: string;
  readonly modality: Modality;
}

const notSpent = 'nothing was started, 0 tokens spent';

/**
 * The policies of the simulated solver for a set of tasks, in task-id order: `solution/solve.py` is the careful script,
 * `replays/trap.py` (built-in pack) or `solution/careless.py` (imported) the careless one. Module docstrings and canaries
 * are left out of both.
 * @throws AnnealError ANL-1203 when a script is missing or two tasks have the same instruction.
 */
export function buildPolicyBook(sources: readonly PolicySource[]): PolicyBook {
  const policies = sources.map(policyOf).toSorted((one, other) => codeUnitOrder(one.taskId, other.taskId));
  const owners = new Map<string, TaskId>();
  for (const { instruction, taskId } of policies) {
    const owner = owners.get(instruction);
    if (owner !== undefined) {
      const why = `its instruction is that of ${owner}: a simulated solver cannot tell them apart`;
      throw new AnnealError('ANL-1203', { task: taskId }, { why, next: 'drop one of the two', notSpent });
    }
    owners.set(instruction, taskId);
  }
  return { version: 1, policies };
}

/** Write the sealed file, readable by its owner alone. Replaces an earlier one at once; idempotent. */
export function writePolicyBook(file: string, book: PolicyBook): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(book)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Read a sealed file. @throws AnnealError ANL-6008 when it is missing or damaged. */
export function readPolicyBook(file: string): PolicyBook {
  try {
    return PolicyBook.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const next = 'start another experiment with --new';
    throw new AnnealError('ANL-6008', { file }, { why: 'it is no policy book of version 1', next, cause });
  }
}

function policyOf({ id, path, instruction, modality }: PolicySource): TaskPolicy {
  const trap = join(path, 'replays', 'trap.py');
  const fromPack = existsSync(trap);
  const normalised = normaliseInstruction(instruction);
  return {
    taskId: id,
    modality,
    origin: fromPack ? 'pack' : 'imported',
    instructionDigest: byteDigest(normalised),
    instruction: normalised,
    careful: playable(readScript(id, join(path, 'solution', 'solve.py'))),
    careless: playable(readScript(id, fromPack ? trap : join(path, 'solution', 'careless.py'))),
  };
}

/** What the solver may show in its transcript: no module docstring, which tells what the script is, and no canary. */
function playable(script: string): string {
  return script.replace(/^\s*"""[\s\S]*?"""\s*/, '').replaceAll(/anneal-canary-[0-9a-f]+/g, '');
}

function readScript(task: TaskId, file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const why = 'the simulated solver has no script to play';
  throw new AnnealError('ANL-1203', { task }, { at: [{ file }], why, notSpent });
}
