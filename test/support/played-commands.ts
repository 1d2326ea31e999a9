import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { treeDigest } from '../../src/adapters/tree-digest.ts';
import type { AttemptSandboxInput } from '../../src/schema/sandbox.ts';
import { solverPython } from './solver-python.ts';

/** A working directory as commands leave it. Never changed once it is there. */
export interface PlayedState {
  /** Digest of what it holds. */
  readonly key: string;
  readonly folder: string;
}

export interface PlayedObservation {
  readonly output: string;
  readonly returncode: number;
  readonly after: PlayedState;
}

/**
 * Runs commands for real but without a jail, in the test's own scripts' world alone: the same command on the same files
 * is run once and remembered, for it always prints and leaves the same.
 */
export class PlayedCommands {
  private readonly root: string;
  private readonly starts = new Map<string, PlayedState>();
  private readonly states = new Map<string, PlayedState>();
  private readonly runs = new Map<string, Promise<PlayedObservation>>();

  constructor(root: string) {
    this.root = root;
  }

  /** The working directory of an attempt that has run nothing. */
  start(inputs: AttemptSandboxInput['inputs']): PlayedState {
    const key = digest(inputs);
    const known = this.starts.get(key);
    if (known !== undefined) return known;
    const folder = join(this.root, key);
    mkdirSync(folder, { recursive: true });
    for (const { source, path } of inputs) cpSync(source, join(folder, path), { recursive: true });
    const state = this.stateIn(folder);
    this.starts.set(key, state);
    return state;
  }

  run(before: PlayedState, command: string): Promise<PlayedObservation> {
    const key = digest([before.key, command]);
    const known = this.runs.get(key) ?? this.perform(before, command, key);
    this.runs.set(key, known);
    return known;
  }

  private async perform(before: PlayedState, command: string, key: string): Promise<PlayedObservation> {
    const folder = join(this.root, key);
    cpSync(before.folder, folder, { recursive: true });
    const text = command.replaceAll('/opt/solver/bin/python', solverPython);
    const done = await execa('bash', ['-c', text], {
      cwd: folder,
      all: true,
      reject: false,
      stripFinalNewline: false,
      extendEnv: false,
      env: { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' },
    });
    return { output: done.all, returncode: done.exitCode ?? -1, after: this.stateIn(folder) };
  }

  /** The state that a folder holds; the folder goes where another one holds the same. */
  private stateIn(folder: string): PlayedState {
    const folders = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    const key = digest([treeDigest(folder), folders.toSorted()]);
    const known = this.states.get(key);
    if (known !== undefined) {
      rmSync(folder, { recursive: true });
      return known;
    }
    const state = { key, folder };
    this.states.set(key, state);
    return state;
  }
}

function digest(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}
