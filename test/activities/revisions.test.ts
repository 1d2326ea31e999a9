import type { ApplicationFailure } from '@temporalio/common';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import { HarnessRepository } from '../../src/adapters/harness-repository.ts';
import type { CandidateCommit, FrozenChampion, Revision } from '../../src/contract/activities.ts';
import { ArmName } from '../../src/schema/ids.ts';
import type { BlobRef } from '../../src/updaters/step-machine.ts';
import { ActivityFixture } from '../support/activity-fixture.ts';
import { replaced, validExperiment } from '../support/experiment-files.ts';

let fixture: ActivityFixture;
const arm = ArmName.parse('ace');

beforeEach(async () => {
  fixture = await ActivityFixture.create();
});

afterEach(() => fixture.remove());

async function commit(
  files: Readonly<Record<string, string | Uint8Array>>,
  changes: object = {},
): Promise<CandidateCommit> {
  const blobs = new BlobStore(fixture.folder.home.blobs);
  const overlay: Record<string, BlobRef> = {};
  for (const [name, text] of Object.entries(files)) overlay[name] = await blobs.put(text);
  return fixture.run('commitCandidate', {
    experimentId: fixture.lock.id,
    arm,
    candidate: 1,
    candidateCap: 3,
    parent: fixture.plan.h0,
    files: overlay,
    earlier: [fixture.plan.h0],
    ...changes,
  });
}

const revisionRecords = async () => (await fixture.records()).filter((record) => record.kind === 'revision');
const repository = (): HarnessRepository => new HarnessRepository(fixture.folder.home.harnessRepository);
const messageOf = ({ folder }: ActivityFixture, hash: string): string =>
  execaSync('git', ['--git-dir', folder.home.harnessRepository, 'log', '-1', '--format=%B', hash]).stdout;

describe('preparing an experiment', () => {
  test('commits H0 and gives the same plan however often it is asked', async () => {
    fixture.restart();
    const again = await fixture.run('prepareExperiment', { experimentId: fixture.lock.id });
    expect(again).toEqual(fixture.plan);
    expect(fixture.plan).toMatchObject({
      h0: { candidate: 0, digest: fixture.lock.identity.harness },
      seed: 7,
    });
    expect(await revisionRecords()).toMatchObject([{ arm: 'h0', candidate: 0, parent: null, playbookBytes: 0 }]);
    expect(await repository().resolve(`refs/anneal/${fixture.lock.id}/h0`)).toBe(fixture.plan.h0.commit);
  });

  test('marks H0 and every candidate of a simulated experiment with its world', async () => {
    const candidate = await fixture.candidate('- a rule\n');
    for (const { commit: revision } of [fixture.plan.h0, candidate]) {
      expect(messageOf(fixture, revision)).toContain('\nAnneal-Simulated-World: no-transfer');
    }
  });

  test('marks no revision of a real experiment as simulated', async () => {
    const simulated = '    provider: simulated\n    world: no-transfer\n';
    const served = '    provider: openai\n    baseUrl: http://127.0.0.1:1/v1\n    model: office-1\n';
    const halfReal = replaced(validExperiment, 'experiment.yaml', simulated, served);
    const real = await ActivityFixture.create(replaced(halfReal, 'experiment.yaml', simulated, served));
    try {
      const candidate = await real.candidate('- a rule\n');
      for (const { commit: revision } of [real.plan.h0, candidate]) {
        expect(messageOf(real, revision)).toContain('Anneal-Experiment: ');
        expect(messageOf(real, revision)).not.toContain('Simulated');
      }
    } finally {
      await real.remove();
    }
  });

  test.each([
    ['keeps an H0 commit of the same files that an earlier version made', '# agent\n', 'kept'],
    ['refuses an H0 commit of other files', '# another agent\n', 'ANL-6004'],
  ])('%s', async (_, agent, result) => {
    const begun = await ActivityFixture.unprepared();
    try {
      const { lock, folder } = begun;
      const { files } = await begun.dependencies().experiments.h0(lock.id);
      const revisions = new HarnessRepository(folder.home.harnessRepository);
      await revisions.initialise();
      const earlier = await revisions.commit({ ...files, 'agent.py': Buffer.from(agent) }, 'H0', {}, null);
      await revisions.publish(`refs/anneal/${lock.id}/h0`, earlier);
      const prepared = await begun.run('prepareExperiment', { experimentId: lock.id }).then(
        ({ h0 }) => (h0.commit === earlier ? 'kept' : 'another'),
        (failure: ApplicationFailure) => failure.type,
      );
      expect(prepared).toBe(result);
    } finally {
      await begun.remove();
    }
  });

  test('puts no text into the history: references and small numbers only', () => {
    expect(JSON.stringify(fixture.plan).length).toBeLessThan(4_000);
    expect(JSON.stringify(fixture.plan)).not.toContain('Write the figures');
  });
});

describe('a candidate', () => {
  test('becomes a child of its parent, with a ref and one record', async () => {
    const first = await commit({ 'playbook.md': '- a rule\n' });
    if (first.kind !== 'committed') throw new Error(first.kind);
    expect(first).toMatchObject({ repeated: false, revision: { candidate: 1 } });
    expect(await commit({ 'playbook.md': '- a rule\n' })).toEqual(first);
    const files = await repository().files(first.revision.commit);
    expect(Buffer.from(files['playbook.md']).toString()).toBe('- a rule\n');
    expect(Buffer.from(files['agent.py']).toString()).toBe('# agent\n');
    expect(await repository().resolve(`refs/anneal/${fixture.lock.id}/ace/cand/1`)).toBe(first.revision.commit);
    expect(await revisionRecords()).toMatchObject([
      { candidate: 0 },
      { candidate: 1, parent: fixture.plan.h0.commit, playbookBytes: 9 },
    ]);
  });

  test('has the same commit in any data home', async () => {
    const here = await commit({ 'playbook.md': '- a rule\n' });
    const other = await ActivityFixture.create();
    try {
      expect(await other.candidate('- a rule\n')).toEqual(here.kind === 'committed' ? here.revision : null);
    } finally {
      await other.remove();
    }
  });

  test('with the bytes of an earlier revision is that revision', async () => {
    expect(await commit({ 'playbook.md': '' })).toEqual({
      kind: 'committed',
      revision: fixture.plan.h0,
      repeated: true,
    });
    expect(await revisionRecords()).toHaveLength(1);
  });

  test('beyond the cap is refused without a commit, unless it is an earlier one', async () => {
    const beyond = { candidate: 4, candidateCap: 3 };
    expect(await commit({ 'playbook.md': '- new' }, beyond)).toEqual({ kind: 'refused' });
    expect(await commit({ 'playbook.md': '' }, beyond)).toMatchObject({ kind: 'committed', repeated: true });
    expect(await revisionRecords()).toHaveLength(1);
    expect(await repository().resolve(`refs/anneal/${fixture.lock.id}/ace/cand/4`)).toBeNull();
  });

  test.each<[string, Readonly<Record<string, string | Uint8Array>>, string]>([
    ['another file', { 'agent.py': 'import os\n' }, 'file-not-editable'],
    ['carriage returns', { 'playbook.md': 'a\r\nb' }, 'file-not-lf'],
    ['bytes that are no text', { 'playbook.md': new Uint8Array([0xff, 0xfe]) }, 'file-not-utf8'],
    ['more than a megabyte', { 'playbook.md': 'x'.repeat(1_048_577) }, 'file-too-large'],
  ])('with %s is invalid and commits nothing', async (_, files, code) => {
    expect(await commit(files)).toMatchObject({ kind: 'invalid', findings: [{ code }] });
    expect(await revisionRecords()).toHaveLength(1);
  });

  test('of another number than its ref has is refused for good', async () => {
    await commit({ 'playbook.md': '- one' });
    await expect(commit({ 'playbook.md': '- two' })).rejects.toMatchObject({ type: 'ANL-6004', nonRetryable: true });
  });
});

describe('the freeze', () => {
  const freeze = (champions: readonly FrozenChampion[]) =>
    fixture.run('freezeChampions', { experimentId: fixture.lock.id, champions });
  const final = (revision: Revision) =>
    fixture.run('performAttempt', fixture.attempt('desk/d2', { phase: 'final', revision }));
  const champion = (revision: Revision): FrozenChampion => ({ arm, label: 'bestEvolved', revision });

  test('comes before any final attempt', async () => {
    await expect(final(fixture.plan.h0)).rejects.toMatchObject({ type: 'ANL-6007', nonRetryable: true });
    expect(fixture.sandbox.starts).toEqual([]);
  });

  test('lets H0 and the champions into the final, and no other revision', async () => {
    const [chosen, other] = [await fixture.candidate('- one', 1), await fixture.candidate('- two', 2)];
    await freeze([champion(chosen)]);
    expect(await final(fixture.plan.h0)).toMatchObject({ outcome: 'scored' });
    expect(await final(chosen)).toMatchObject({ outcome: 'scored' });
    await expect(final(other)).rejects.toMatchObject({ type: 'ANL-6007' });
    expect(fixture.sandbox.starts).toHaveLength(2);
  });

  test('happens once: a second one changes nothing', async () => {
    const [chosen, other] = [await fixture.candidate('- one', 1), await fixture.candidate('- two', 2)];
    await freeze([champion(chosen)]);
    await freeze([champion(chosen)]);
    await expect(freeze([champion(other)])).rejects.toMatchObject({ nonRetryable: true });
    await expect(final(other)).rejects.toMatchObject({ type: 'ANL-6007' });
    const records = (await fixture.records()).filter((record) => record.kind === 'champion');
    expect(records).toMatchObject([{ label: 'bestEvolved', candidate: 1, revision: chosen.digest }]);
    expect(await repository().resolve(`refs/tags/anneal/${fixture.lock.id}/ace/bestEvolved`)).toBe(chosen.commit);
  });
});
