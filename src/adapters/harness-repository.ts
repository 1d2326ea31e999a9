import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa, ExecaError } from 'execa';
import { AnnealError } from '../domain/errors.ts';
import { oneLine } from '../domain/one-line.ts';
import type { CommitHash } from '../schema/ids.ts';
import { harnessFileNames, type HarnessFiles } from '../schema/harness.ts';

const zeros = '0'.repeat(40);

const environment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'anneal',
  GIT_AUTHOR_EMAIL: 'anneal@localhost',
  GIT_AUTHOR_DATE: '946684800 +0000',
  GIT_COMMITTER_NAME: 'anneal',
  GIT_COMMITTER_EMAIL: 'anneal@localhost',
  GIT_COMMITTER_DATE: '946684800 +0000',
  LC_ALL: 'C',
};

/** Parents and trailers of a commit. */
export interface CommitDescription {
  readonly parents: readonly CommitHash[];
  readonly trailers: Readonly<Record<string, string>>;
}

/**
 * The bare repository of all revisions. Plumbing only: no hooks, signing or user configuration; fixed author and date,
 * so the same files, parent and trailers give the same commit hash on any machine.
 */
export class HarnessRepository {
  readonly directory: string;
  private readonly read = new Map<CommitHash, Promise<HarnessFiles>>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Create the repository when it is absent. Idempotent. */
  async initialise(): Promise<void> {
    if (!existsSync(join(this.directory, 'HEAD'))) {
      await execa('git', ['init', '--quiet', '--bare', this.directory], { env: environment });
    }
    for (const [key, value] of [
      ['core.autocrlf', 'false'],
      ['core.filemode', 'true'],
      ['core.fsync', 'objects,reference'],
      ['gc.auto', '0'],
    ] as const) {
      await this.git(['config', key, value]);
    }
  }

  /** Write a revision's files as a commit; nothing points to it yet. Idempotent: same content, same hash. */
  async commit(
    files: HarnessFiles,
    subject: string,
    trailers: Readonly<Record<string, string>>,
    parent: CommitHash | null,
  ): Promise<CommitHash> {
    const entries: string[] = [];
    for (const name of harnessFileNames) {
      const blob = await this.git(['hash-object', '-w', '--no-filters', '--stdin'], files[name]);
      entries.push(`100644 blob ${blob}\t${name}\n`);
    }
    const tree = await this.git(['mktree'], entries.join(''));
    const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value}`);
    const text = `${subject}\n\n${lines.join('\n')}\n`;
    const parents = parent === null ? [] : ['-p', parent];
    return (await this.git(['commit-tree', tree, ...parents], text)) as CommitHash;
  }

  /**
   * Point a new ref to a commit. A ref that already points there is fine.
   * @throws AnnealError ANL-6004 when it points elsewhere; ANL-3012 or ANL-3013, which time or a person mends, when git
   * could not write it.
   */
  async publish(ref: string, commit: CommitHash): Promise<void> {
    const result = await this.run(['update-ref', ref, commit, zeros]);
    if (result.exitCode === 0) return;
    const present = await this.resolve(ref);
    if (present === commit) return;
    if (present === null) throw notWritten(this.directory, result.stderr);
    throw new AnnealError('ANL-6004', { ref }, { why: `${present} stands there, not ${commit}` });
  }

  /** The commit a ref or hash names, null when there is none. */
  async resolve(name: string): Promise<CommitHash | null> {
    const result = await this.run(['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
    return result.exitCode === 0 ? (result.stdout.trim() as CommitHash) : null;
  }

  /** Full names of all refs below some prefixes, in order. */
  async refs(prefixes: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await this.run(['for-each-ref', '--format=%(refname)', ...prefixes]);
    return stdout.split('\n').filter((name) => name !== '');
  }

  /** What a commit object says: its parents, and the trailers of its message. null when there is no such commit. */
  async describe(commit: CommitHash): Promise<CommitDescription | null> {
    const { exitCode, stdout } = await this.run(['cat-file', 'commit', commit]);
    if (exitCode !== 0) return null;
    const [head = '', ...message] = stdout.split('\n\n');
    const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent as CommitHash);
    const trailers = [...message.join('\n').matchAll(/^([\w-]+): (.*)$/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]);
    return { parents, trailers: Object.fromEntries(trailers) as Readonly<Record<string, string>> };
  }

  /** The four files of a commit, remembered: a commit never changes. */
  files(commit: CommitHash): Promise<HarnessFiles> {
    const known = this.read.get(commit) ?? this.readFiles(commit);
    this.read.set(commit, known);
    known.catch(() => this.read.delete(commit));
    return known;
  }

  private async readFiles(commit: CommitHash): Promise<HarnessFiles> {
    const read = async (name: string): Promise<readonly [string, Buffer]> => {
      const { stdout } = await execa('git', ['--git-dir', this.directory, 'cat-file', 'blob', `${commit}:${name}`], {
        env: environment,
        encoding: 'buffer',
        stripFinalNewline: false,
      });
      return [name, Buffer.from(stdout)];
    };
    return Object.fromEntries(await Promise.all(harnessFileNames.map(read))) as unknown as HarnessFiles;
  }

  /** `git diff` between two commits, with a stat header; bytes that are no text are compared all the same. */
  async diff(from: CommitHash, to: CommitHash): Promise<string> {
    const flags = ['--stat', '--patch', '--text', '--no-ext-diff', '--no-textconv', '--color=never'];
    const result = await execa('git', ['--git-dir', this.directory, 'diff', ...flags, from, to], { env: environment });
    return result.stdout;
  }

  private async git(parameters: readonly string[], input?: string | Uint8Array): Promise<string> {
    try {
      const result = await execa('git', ['--git-dir', this.directory, ...parameters], {
        env: environment,
        ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
      });
      return result.stdout.trim();
    } catch (error) {
      throw error instanceof ExecaError && error.exitCode !== undefined
        ? notWritten(this.directory, String(error.stderr))
        : error;
    }
  }

  private run(
    parameters: readonly string[],
  ): Promise<{ exitCode?: number | undefined; stdout: string; stderr: string }> {
    return execa('git', ['--git-dir', this.directory, ...parameters], {
      env: environment,
      reject: false,
      stdin: 'ignore',
    });
  }
}

/** Why git wrote nothing, in its own words: a disk that is full or may not be written to, or a lock that a power cut left. */
function notWritten(directory: string, said: string): AnnealError {
  const why = oneLine(said);
  if (/No space left on device|Disk quota exceeded/.test(why)) {
    return new AnnealError('ANL-3013', { path: directory }, { why });
  }
  const lock = /Unable to create '([^']+\.lock)': File exists/.exec(why)?.[1];
  const mend = lock === undefined ? {} : { next: `rm ${lock}     the experiment then goes on by itself` };
  return new AnnealError('ANL-3012', { path: directory }, { why, ...mend });
}
