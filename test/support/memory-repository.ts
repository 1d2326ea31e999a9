import { createHash } from 'node:crypto';
import type { HarnessRepositoryPort } from '../../src/contract/ports.ts';
import type { HarnessFiles } from '../../src/schema/harness.ts';
import { CommitHash } from '../../src/schema/ids.ts';

/** Commits in memory, for tests of whole attempts whose subject is not git: equal files are one commit. */
export class MemoryRepository implements HarnessRepositoryPort {
  private readonly commits = new Map<CommitHash, HarnessFiles>();
  private readonly refs = new Map<string, CommitHash>();

  async initialise(): Promise<void> {}

  async commit(files: HarnessFiles): Promise<CommitHash> {
    const hash = createHash('sha1');
    for (const [name, bytes] of Object.entries(files)) hash.update(`${name} ${bytes.byteLength}\n`).update(bytes);
    const commit = CommitHash.parse(hash.digest('hex'));
    this.commits.set(commit, files);
    return commit;
  }

  async publish(ref: string, commit: CommitHash): Promise<void> {
    this.refs.set(ref, commit);
  }

  async resolve(ref: string): Promise<CommitHash | null> {
    return this.refs.get(ref) ?? null;
  }

  async files(commit: CommitHash): Promise<HarnessFiles> {
    const files = this.commits.get(commit);
    if (files === undefined) throw new Error(`no commit ${commit}`);
    return files;
  }
}
