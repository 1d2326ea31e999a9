import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JudgeReport } from '../../src/schema/judgement.ts';
import type { AttemptRecord, ExperimentRecord } from '../../src/schema/record.ts';
import type { EvidenceCopy } from './evidence-copy.ts';
import type { PlantedFault } from './planted-faults.ts';

/** A forgery, and what has to be said of it where another check could be the one that fails. */
export interface PlantedForgery extends PlantedFault {
  readonly told?: RegExp;
}

type Forged = Record<string, unknown>;
type Fits = (record: ExperimentRecord) => boolean;

const finalAttempt: Fits = (record) => record.kind === 'attempt' && record.phase === 'final';
const candidate: Fits = (record) => record.kind === 'revision' && record.candidate === 1;

/** A change of one record in file and ledger alike. */
const record = (fault: string, fits: Fits, change: (record: Forged) => Forged, check: string): PlantedFault => ({
  fault,
  plant: (copy) => copy.forge(fits, change, 'both'),
  checks: [check],
});

/** A change of the figures of a final attempt, in its record and in what was booked of its run. */
const usage = (fault: string, change: Record<string, unknown>): PlantedFault => ({
  fault,
  plant: (copy) => {
    const { key, epoch } = copy.records().find(finalAttempt) as AttemptRecord;
    const changed = (of: Forged): Forged => ({ ...of, usage: { ...(of['usage'] as Forged), ...change } });
    copy.forge(finalAttempt, changed, 'both');
    copy.sql('UPDATE effect SET result = json_patch(result, ?) WHERE key = ?', [
      JSON.stringify({ usage: change }),
      `run:${key}:${epoch}`,
    ]);
  },
  checks: ['ledger'],
});

/** Another text behind a disclosure of a call, under a digest of its own. */
const disclosed = (channel: 'prompt' | 'reply'): PlantedFault => ({
  fault: `a ${channel} that is not what went over the wire`,
  plant: (copy) =>
    copy.forge(
      ({ kind, ...rest }) =>
        kind === 'disclosure' && (rest as { items: { content: string }[] }).items[0]?.content === channel,
      (found) => ({ ...found, items: [{ content: channel, attempt: null, blob: copy.put('harmless') }] }),
      'both',
    ),
  checks: ['sealed'],
});

/** The judge.json of a final attempt as another one, with the record that belongs to it and all that was booked. */
function forgeJudgement(copy: EvidenceCopy, change: (report: JudgeReport) => JudgeReport): void {
  const { key, epoch, blobs } = copy.records().find(finalAttempt) as AttemptRecord;
  const report = JSON.parse(readFileSync(copy.blobPath(blobs['judge'] ?? ''), 'utf8')) as JudgeReport;
  const judge = copy.put(JSON.stringify(change(report)));
  copy.forge(finalAttempt, (found) => ({ ...found, blobs: { ...blobs, judge } }), 'both');
  copy.sql("UPDATE effect SET result = json_set(result, '$.report', ?) WHERE key = ?", [
    judge,
    `judge:${key}:${epoch}`,
  ]);
}

/**
 * What somebody may forge who knows how an experiment is kept: records in file and ledger alike, in keeping with what was
 * booked, and the report written anew from them. One each; every one changes a number, a claim or what vouches for it.
 */
export const plantedForgeries: readonly PlantedForgery[] = [
  record('a time that an attempt took', finalAttempt, (found) => ({ ...found, wallMs: 1 }), 'judgements'),
  record(
    'a sandbox that an attempt had not',
    finalAttempt,
    (found) => ({ ...found, sandbox: { level: 'none', cgroup: 'none' } }),
    'judgements',
  ),
  record(
    'a trajectory that an attempt did not leave',
    finalAttempt,
    (found) => ({
      ...found,
      blobs: { ...(found['blobs'] as Forged), trajectory: (found['blobs'] as Forged)['judge'] },
    }),
    'judgements',
  ),
  record(
    'what a judge said in short',
    finalAttempt,
    (found) => ({ ...found, judged: { ...(found['judged'] as Forged), semantic: 12.5 } }),
    'judgements',
  ),
  {
    fault: 'a judge.json that says something else in short',
    plant: (copy) =>
      forgeJudgement(copy, (report) => ({ ...report, vector: { ...report.vector, strict: !report.vector.strict } })),
    checks: ['judgements'],
  },
  record(
    'a final that is booked under the search',
    finalAttempt,
    (found) => ({ ...found, phase: 'search' }),
    'denominators',
  ),
  usage('fewer tokens of an attempt than its rows', { tokensReported: 1, tokensCharged: 1 }),
  usage('fewer calls of an attempt than its rows', { calls: 1 }),
  usage('a limit that an attempt did not hit', { limitHit: 'calls' }),
  usage('an attempt that nobody answered', { servedModels: [] }),
  {
    fault: 'totals of before anything was spent',
    plant: (copy) =>
      copy.forge(
        ({ kind }) => kind === 'usage',
        (found) => ({
          ...found,
          at: '2020-01-01T00:00:00.000Z',
          ...{ calls: 0, reported: 0, charged: 0, microUsd: 0, served: [] },
        }),
        'both',
      ),
    checks: ['ledger'],
  },
  {
    fault: 'totals that are taken off the record',
    plant: (copy) => {
      const isTotal: Fits = ({ kind }) => kind === 'usage';
      const note = { kind: 'decision', arm: null, event: 'note', reason: '', figures: {} };
      for (const _ of copy.records().filter(isTotal)) copy.forge(isTotal, (found) => ({ ...found, ...note }), 'both');
    },
    checks: ['ledger'],
  },
  {
    fault: 'a life of a final attempt that is on no record',
    plant: (copy) => {
      const { key } = copy.records().find(finalAttempt) as AttemptRecord;
      copy.sql(
        `INSERT INTO lease SELECT attempt_key, 2, lease, state, slot, socket_name || 'x', socket_uid, calls_limit,
           tokens_limit, seed, share, opened_at, elapsed_before_ms, elapsed_ms, waited_ms, diverged_at_call, unserved_call,
           unserved_code, limit_hit FROM lease WHERE attempt_key = ?`,
        [key],
      );
    },
    checks: ['ledger'],
  },
  record(
    'a champion that is left out',
    (found) => found.kind === 'champion' && found.label === 'bestEvolved',
    (found) => ({ ...found, kind: 'decision', arm: null, event: 'note', reason: '', figures: {} }),
    'frozen',
  ),
  {
    fault: 'a champion whose tag names another commit',
    plant: async (copy) => {
      const h0 = copy.records().find((found) => found.kind === 'revision' && found.candidate === 0);
      const commit = h0?.kind === 'revision' ? h0.commit : '';
      const isChampion: Fits = (found) => found.kind === 'champion' && found.label === 'bestEvolved';
      const champion = copy.records().find(isChampion);
      await copy.git(['update-ref', `refs/tags/${champion?.kind === 'champion' ? champion.tag : ''}`, commit]);
      copy.forge(isChampion, (found) => ({ ...found, commit }), 'both');
    },
    checks: ['frozen'],
  },
  record(
    'a number that is told of another candidate',
    (found) => found.kind === 'query' && found.candidate === 1,
    (found) => ({ ...found, candidate: 2 }),
    'queries',
  ),
  record('a playbook that is said to be shorter', candidate, (found) => ({ ...found, playbookBytes: 1 }), 'revisions'),
  record('a candidate without a parent', candidate, (found) => ({ ...found, parent: null }), 'revisions'),
  {
    fault: 'a candidate under another number, with its ref',
    plant: async (copy) => {
      const found = copy.records().find(candidate);
      if (found?.kind !== 'revision') throw new Error('no candidate');
      await copy.git(['update-ref', `refs/anneal/${copy.lock.id}/${found.arm}/cand/2`, found.commit]);
      copy.forge(candidate, (body) => ({ ...body, candidate: 2 }), 'both');
    },
    checks: ['revisions'],
    told: /its commit says Anneal-Candidate 1, not 2/,
  },
  {
    fault: 'a candidate that is on record twice',
    plant: (copy) => copy.append('revisions.jsonl', { ...copy.records().find(candidate) }, 'forged'),
    checks: ['revisions'],
    told: /a candidate is on record twice/,
  },
  {
    fault: 'a candidate that was left off the record',
    plant: (copy) =>
      copy.git(['update-ref', `refs/anneal/${copy.lock.id}/ace/cand/9`, `refs/anneal/${copy.lock.id}/h0`]),
    checks: ['revisions'],
    told: /ace\/cand\/9 is on no record/,
  },
  {
    fault: 'a number that was told and left off the record',
    plant: (copy) => {
      const isLast: Fits = (found) => found.kind === 'query' && found.candidate === 1;
      const note = { kind: 'decision', arm: null, event: 'note', reason: '', figures: {} };
      const query = copy.records().find(isLast);
      copy.forge(isLast, (found) => ({ ...found, ...note }), 'both');
      copy.sql('DELETE FROM selection_query WHERE revision_digest = ?', [
        query?.kind === 'query' ? query.revision : '',
      ]);
    },
    checks: ['queries'],
    told: /was measured on selection and no query was booked/,
  },
  {
    fault: 'a query that was granted beyond what was frozen',
    plant: (copy) => copy.sql("INSERT INTO budget_change VALUES (?, 'forged', 'ace', 'queries', 1, 1)", [copy.lock.id]),
    checks: ['ledger'],
  },
  {
    fault: 'calls of an updater that are laid to another arm, with their totals',
    plant: (copy) => {
      const isTotal: Fits = (found) => found.kind === 'usage' && found.role === 'updater';
      const ofUpdater = "SET arm = 'other' WHERE role = 'updater' AND experiment = ?";
      for (const table of ['attempt', 'balance']) copy.sql(`UPDATE ${table} ${ofUpdater}`, [copy.lock.id]);
      copy.forge(isTotal, (found) => ({ ...found, arm: 'other' }), 'both');
    },
    checks: ['sealed'],
  },
  disclosed('prompt'),
  disclosed('reply'),
  {
    fault: 'a second report beside the first',
    plant: (copy) => writeFileSync(join(copy.folder, 'reports', 'report.json'), '{"state":"complete"}'),
    checks: ['report'],
    told: /reports\/report.json is no file of its report/,
  },
];
