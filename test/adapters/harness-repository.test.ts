import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HarnessRepository } from '../../src/adapters/harness-repository.ts';
import type { HarnessFiles } from '../../src/schema/harness.ts';

let folder: string;
let repository: HarnessRepository;

const files = (playbook = ''): HarnessFiles => ({
  'agent.py': Buffer.from('class HarnessAgent: pass\n'),
  'environment.py': Buffer.from('x = "\r\n"\n'),
  'playbook.md': Buffer.from(playbook),
  'systemprompt.md': Buffer.from('ä {{ playbook }}'),
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-git-'));
  repository = new HarnessRepository(join(folder, 'harness.git'));
  await repository.initialise();
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the repository of revisions', () => {
  test('gives the same commit for the same files, parent and trailers in any repository, at any time, for any person', async () => {
    const trailers = { 'Anneal-Experiment': 'e'.repeat(64), 'Anneal-Candidate': '0' };
    const other = new HarnessRepository(join(folder, 'other.git'));
    await other.initialise();
    const before = { ...process.env };
    const here = await repository.commit(files(), 'H0', trailers, null);
    writeFileSync(
      join(folder, 'hostile'),
      '[user]\n name = x\n email = y\n[core]\n autocrlf = true\n[commit]\n gpgsign = true\n',
    );
    Object.assign(process.env, {
      GIT_CONFIG_GLOBAL: join(folder, 'hostile'),
      GIT_AUTHOR_NAME: 'somebody',
      TZ: 'Asia/Tokyo',
    });
    const there = await other.commit(files(), 'H0', trailers, null);
    process.env = before;
    expect(there).toBe(here);
    expect(await repository.commit(files('- a rule'), 'H0', trailers, null)).not.toBe(here);
    expect(await repository.commit(files(), 'H0', trailers, here)).not.toBe(here);
  });

  test('gives back the very bytes, carriage returns and missing line ends included', async () => {
    const commit = await repository.commit(files('- one\n'), 'x', {}, null);
    expect(await repository.files(commit)).toEqual(files('- one\n'));
  });

  test('tells parents and trailers of a commit, a message of many parts too; of none where there is no commit', async () => {
    const root = await repository.commit(files(), 'H0', { 'Anneal-Candidate': '0' }, null);
    const child = await repository.commit(files('- one'), 'a\n\nb', { 'Anneal-Arm': 'ace' }, root);
    expect(await repository.describe(root)).toEqual({ parents: [], trailers: { 'Anneal-Candidate': '0' } });
    expect(await repository.describe(child)).toEqual({ parents: [root], trailers: { 'Anneal-Arm': 'ace' } });
    expect(await repository.describe('0'.repeat(40) as typeof root)).toBeNull();
  });

  test('lists the refs below prefixes, each in full', async () => {
    const commit = await repository.commit(files(), 'x', {}, null);
    for (const ref of ['refs/anneal/a/h0', 'refs/anneal/b/h0', 'refs/tags/anneal/a/ace/gated']) {
      await repository.publish(ref, commit);
    }
    expect(await repository.refs(['refs/anneal/a', 'refs/tags/anneal/a'])).toEqual([
      'refs/anneal/a/h0',
      'refs/tags/anneal/a/ace/gated',
    ]);
    expect(await repository.refs(['refs/anneal/none'])).toEqual([]);
  });

  test('writes the trailers that git itself can read', async () => {
    const commit = await repository.commit(
      files(),
      'ace: candidate 1',
      { 'Anneal-Arm': 'ace', 'Anneal-Candidate': '1' },
      null,
    );
    const { stdout } = await execa('git', [
      '--git-dir',
      repository.directory,
      'show',
      '-s',
      '--format=%an %at %(trailers:key=Anneal-Arm)',
      commit,
    ]);
    expect(stdout.trim()).toBe('anneal 946684800 Anneal-Arm: ace');
  });

  test('publishes a ref once: the same again is fine, another is refused', async () => {
    const one = await repository.commit(files(), 'one', {}, null);
    const two = await repository.commit(files(), 'two', {}, null);
    await repository.publish('refs/anneal/exp/ace/cand/1', one);
    await repository.publish('refs/anneal/exp/ace/cand/1', one);
    await expect(repository.publish('refs/anneal/exp/ace/cand/1', two)).rejects.toMatchObject({ code: 'ANL-6004' });
    expect(await repository.resolve('refs/anneal/exp/ace/cand/1')).toBe(one);
    expect(await repository.resolve('refs/anneal/exp/ace/cand/2')).toBeNull();
  });

  test('whose ref cannot be written now is no damaged one: it is written once the cause is gone', async () => {
    const one = await repository.commit(files(), 'one', {}, null);
    const lock = join(repository.directory, 'refs/anneal/exp/ace/cand/1.lock');
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '');
    await expect(repository.publish('refs/anneal/exp/ace/cand/1', one)).rejects.toMatchObject({
      code: 'ANL-3012',
      retryable: true,
      next: `rm ${lock}     the experiment then goes on by itself`,
    });
    rmSync(lock);
    await repository.publish('refs/anneal/exp/ace/cand/1', one);
    expect(await repository.resolve('refs/anneal/exp/ace/cand/1')).toBe(one);
  });

  test('tells in words of git what keeps it from being written to', async () => {
    const objects = join(repository.directory, 'objects');
    rmSync(objects, { recursive: true });
    writeFileSync(objects, '');
    await expect(repository.commit(files(), 'one', {}, null)).rejects.toMatchObject({
      code: 'ANL-3012',
      why: expect.stringContaining('not a git repository') as string,
    });
  });

  test('may be initialised again without a change', async () => {
    const commit = await repository.commit(files(), 'one', {}, null);
    await repository.initialise();
    expect(await repository.resolve(commit)).toBe(commit);
  });

  test('shows what changed between two revisions', async () => {
    const one = await repository.commit(files('- old\n'), 'one', {}, null);
    const two = await repository.commit(files('- new\n'), 'two', {}, one);
    const diff = await repository.diff(one, two);
    expect(diff).toContain('playbook.md | 2 +-');
    expect(diff).toContain('-- old\n+- new');
  });

  test('shows the change of a file that a NUL would pass off as binary', async () => {
    const one = await repository.commit(files('- old\n'), 'one', {}, null);
    const two = await repository.commit(files('- new\u0000\n'), 'two', {}, one);
    expect(await repository.diff(one, two)).toContain('-- old\n+- new\u0000');
  });
});
