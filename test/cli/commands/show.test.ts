import { afterEach, describe, expect, it } from 'vitest';
import type { AttemptLedger } from '../../../src/cli/dependencies.ts';
import { attemptKey } from '../../../src/domain/attempt-key.ts';
import type { LedgerEpoch } from '../../../src/report/attempt/attempt-story.ts';
import { CallRow } from '../../../src/schema/call-row.ts';
import { CommandLine } from '../../support/command-line.ts';
import { writeExperiment } from '../../support/fake-engine.ts';
import { buildLock, digestOf, revisionDigest, startedAt, taskId } from '../../support/lock-builder.ts';
import { agentError, infrastructure, judgeFailure, Story } from '../../support/record-builders.ts';
import { wrongTotal } from '../../support/wrong-total.ts';

const opened: CommandLine[] = [];

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

const command = { n: 1, command: 'python3 - <<END\nprint(1)\nEND', returncode: 0, timedOut: false, durationMs: 120 };
const files: Record<string, string> = {
  [digestOf('commands')]: [
    JSON.stringify({ ...command, rerun: { returncode: 1 } }),
    JSON.stringify({ ...command, n: 2, command: 'printf "\u001b]0;title\u0007"', rerun: null }),
  ].join('\n'),
  [digestOf('judge')]: JSON.stringify(wrongTotal('\u001b[31mB14\u001b[0m holds 3')),
  [digestOf('log')]: 'Traceback\n\u001b]52;c;AAAA\u0007 secret\n',
};

const key = digestOf('attempt h0 p2');

function call(life: number, number: number, changes: Partial<CallRow> = {}): CallRow {
  return CallRow.parse({
    attemptKey: key,
    epoch: life,
    call: number,
    retryIndex: 0,
    role: 'solver',
    requestHash: digestOf('request'),
    state: 'settled',
    basis: 'reported',
    reserved: 5000,
    charged: 620,
    reportedInput: 560,
    reportedOutput: 60,
    reservedMicroUsd: null,
    chargedMicroUsd: null,
    cacheRead: null,
    cacheWrite: null,
    reasoning: null,
    outputCap: 4096,
    streamed: false,
    servedModel: 'model-a',
    fault: null,
    code: null,
    detail: null,
    responseSha256: null,
    reservedAt: startedAt + 1000 * (life - 1) + 200 * number,
    settledAt: startedAt + 1000 * (life - 1) + 200 * number + 81,
    ...changes,
  });
}

function epoch(number: number, changes: Partial<LedgerEpoch> = {}): LedgerEpoch {
  return {
    attemptKey: key,
    epoch: number,
    lease: number,
    state: number === 1 ? 'fenced' : 'closed',
    openedAt: startedAt + 1000 * (number - 1) + 200,
    elapsedMs: 9_000,
    elapsedBeforeMs: 9_000 * (number - 1),
    ...changes,
  };
}

const unknown = {
  state: 'unknown',
  basis: 'upperBound',
  charged: 5000,
  reportedInput: null,
  reportedOutput: null,
} as const;
const rejected = {
  retryIndex: 0,
  state: 'rejected',
  basis: 'rejected',
  charged: 0,
  reportedInput: null,
  reportedOutput: null,
} as const;
const calls = [
  call(1, 1),
  call(1, 2, { ...unknown, servedModel: null, fault: 'infrastructure', code: 'gateway_ended' }),
  call(2, 2, { ...rejected, servedModel: null, fault: 'infrastructure', code: 'rate_limit' }),
  call(2, 2, { retryIndex: 1 }),
];

function commandLine(epochs: readonly LedgerEpoch[] = [epoch(1), epoch(2)]): CommandLine {
  const ledger: AttemptLedger = {
    epochs,
    callsOf: (wanted) => (wanted === key ? calls : []),
    close: () => {},
  };
  const made = new CommandLine({
    attemptLedger: async () => ledger,
    readBlob: async (_, digest) => Buffer.from(files[digest] ?? ''),
  });
  opened.push(made);
  return made;
}

const blobs = { commands: digestOf('commands'), judge: digestOf('judge'), harnessLog: digestOf('log') };
const restarted = (): Story =>
  new Story()
    .attempts('h0', { p2: infrastructure('the keeper is gone') })
    .attempts('h0', { p2: agentError(0.4) }, { blobs });

describe('anneal show', () => {
  it('tells restarts, leases, calls, commands, outcome and why, with nothing that steers the terminal', async () => {
    const line = commandLine();
    const story = restarted();
    writeExperiment(line.home, story.lock, story.records);
    const whole = await line.run('show p2');
    expect(whole.out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    await expect(
      [whole.transcript, (await line.run('show office-mini/p2#1')).transcript].join('\n'),
    ).toMatchFileSnapshot('../../transcripts/show.txt');
  });

  it('gives the same as JSON, with the expected values that a person may see of feedback', async () => {
    const line = commandLine();
    const story = restarted();
    writeExperiment(line.home, story.lock, story.records);
    const shown = JSON.parse((await line.run(`show ${key.slice(0, 8)} --json`)).out) as Record<string, unknown>;
    expect(shown).toMatchObject({
      version: 1,
      key,
      task: 'office-mini/p2',
      revision: { name: 'h0' },
      outcome: { kind: 'scored_with_agent_error', reward: 0.4 },
      epochs: [
        { epoch: 1, leases: 1, calls: [{ call: 1 }, { call: 2, state: 'unknown', charged: 5000 }], commands: [] },
        {
          epoch: 2,
          leases: 2,
          elapsedBeforeMs: 9000,
          judgements: [{ judgement: 1, report: { criteria: [{ expected: '4' }] } }],
        },
      ],
    });
  });

  it('shows a later judgement beside the one that failed', async () => {
    const line = commandLine([epoch(1, { state: 'closed' })]);
    const story = new Story()
      .attempts('h0', { p2: judgeFailure() }, { runClass: { kind: 'ended' } })
      .judgement('h0', 'p2', 2, 0.7);
    writeExperiment(line.home, story.lock, story.records);
    await expect((await line.run('show p2')).transcript).toMatchFileSnapshot('../../transcripts/show-rejudged.txt');
  });

  it('tells of an attempt that runs and is on no record yet', async () => {
    const lock = buildLock();
    const task = lock.identity.tasks.find(({ id }) => id === taskId('d2'));
    if (task === undefined) throw new Error('no task');
    const running = attemptKey(lock, revisionDigest('h0'), task, 0);
    const line = commandLine([epoch(1, { attemptKey: running, state: 'open' })]);
    writeExperiment(line.home, lock, new Story(lock).revision('h0').records);
    const { exit, out } = await line.run('show d2');
    expect(exit).toBe(0);
    expect(out).toContain(' outcome   it runs');
    expect(out).toContain('#1 start  09:00:00 to now  it runs');
  });

  it('keeps selection and final tasks closed, until somebody opens one, which is put on record first', async () => {
    const line = commandLine();
    const story = new Story().attempts('h0', { p1: 0.5 });
    writeExperiment(line.home, story.lock, story.records);
    await expect(
      [(await line.run('show p1')).transcript, (await line.run('show p1 --open-sealed')).transcript].join('\n'),
    ).toMatchFileSnapshot('../../transcripts/show-sealed.txt');
    const p1 = digestOf('attempt h0 p1').slice(0, 12);
    expect(line.engine.calls.filter((each) => each.startsWith('exposure'))).toEqual([
      `exposure exp_41d0c2ab ${p1}#0 selection`,
    ]);
  });

  it('opens nothing where the opening cannot be put on record', async () => {
    const line = commandLine();
    const story = new Story().attempts('h0', { p1: 0.5 });
    writeExperiment(line.home, story.lock, story.records);
    line.engine.recordExposure = () => Promise.reject(new Error('no gateway'));
    const { exit, out } = await line.run('show p1 --open-sealed');
    expect(exit).toBe(6);
    expect(out).toBe('');
  });

  it('opens everything without a word once the experiment is closed', async () => {
    const line = commandLine();
    const story = new Story().attempts('h0', { p1: 0.5 }).closed();
    writeExperiment(line.home, story.lock, story.records);
    expect((await line.run('show p1')).exit).toBe(0);
    expect(line.engine.calls.filter((each) => each.startsWith('exposure'))).toEqual([]);
  });

  it('finds nothing for what is no attempt', async () => {
    const line = commandLine();
    const story = restarted();
    writeExperiment(line.home, story.lock, story.records);
    for (const wanted of ['x9', 'p2#7', 'dead'])
      expect((await line.run(`show ${wanted}`)).errors).toContain('ANL-1015');
  });
});
