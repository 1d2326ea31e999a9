import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentErrorCause } from '../../src/schema/outcome.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import type { HarnessEdit } from '../support/attempt-lab.ts';

/** What an attempt of a harness must come to; `reward` is what the task's tests give for the files it leaves. */
export interface DeclaredOutcome {
  readonly class: 'scored' | AgentErrorCause;
  readonly reward: 0 | 1;
}

/** One harness of the pack: a name, one sentence, its files, its declared outcome at each level. */
export interface DeclaredHarness {
  readonly name: string;
  readonly what: string;
  readonly files: () => HarnessEdit;
  readonly outcome: DeclaredOutcome;
  /** At level `user`, where that differs. */
  readonly outcomeAtUser?: DeclaredOutcome;
  /** Probes of the list that it is part of. */
  readonly probes?: readonly number[];
  /** The task gives it 5 s of wall time instead of 60. */
  readonly short?: boolean;
  /** What its log must say, and must not. */
  readonly log?: RegExp;
  readonly notLog?: RegExp;
}

export const scored = (reward: 0 | 1): DeclaredOutcome => ({ class: 'scored', reward });
export const failed = (cause: AgentErrorCause, reward: 0 | 1 = 0): DeclaredOutcome => ({ class: cause, reward });

/**
 * Files of a folder below `test/hostile`: those that differ from H0's. `environment.more.py` is appended to H0's
 * environment, whose class is called `PlainEnvironment` for it.
 */
export function filesOf(folder: string): HarnessEdit {
  const directory = join(import.meta.dirname, folder);
  const read = (name: string): Buffer => readFileSync(join(directory, name));
  const files = readdirSync(directory).filter((name) => name !== '__pycache__');
  const edit = Object.fromEntries(
    files.filter((name) => name !== 'environment.more.py').map((name) => [name, read(name)]),
  );
  if (!files.includes('environment.more.py')) return edit;
  const plain = readFileSync(join(packageRoot, 'harnesses/h0/environment.py'), 'utf8');
  const renamed = plain.replace('class HarnessEnvironment:', 'class PlainEnvironment:');
  return { ...edit, 'environment.py': `${renamed}\n\n${read('environment.more.py').toString()}` };
}

/** Names of a folder's harnesses, so that none can lie there undeclared. */
export function harnessFolders(folder: 'harnesses' | 'good'): string[] {
  return readdirSync(join(import.meta.dirname, folder)).toSorted();
}
