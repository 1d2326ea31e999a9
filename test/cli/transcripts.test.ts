import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { AnnealError } from '../../src/domain/errors.ts';
import type { ModelPrice } from '../../src/schema/prices.ts';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords, demoStory } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { ledgerView } from '../support/ledger-view.ts';
import { type LockChanges, buildLock, startedAt } from '../support/lock-builder.ts';
import { agentError, infrastructure, Story } from '../support/record-builders.ts';

const opened: CommandLine[] = [];

function commandLine(...parameters: ConstructorParameters<typeof CommandLine>): CommandLine {
  const made = new CommandLine(...parameters);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

/** Golden transcripts are reviewed like code: `npx vitest run test/cli -u` writes them anew. */
function golden(name: string): string {
  return `../transcripts/${name}.txt`;
}

/** A command line on which `run` and `demo` freeze the demo and see it through. */
function demoLine(options: ConstructorParameters<typeof CommandLine>[1] = {}): CommandLine {
  const lock = buildLock();
  const made = commandLine(
    {
      freeze: async () => {
        writeExperiment(made.home, lock, []);
        return { kind: 'new', lock };
      },
    },
    options,
  );
  made.engine.stages = [0, 1, 2, 3, 4, 5].map((stage) => demoRecords(stage));
  return made;
}

function withRecords(stage: number): CommandLine {
  const made = commandLine();
  writeExperiment(made.home, buildLock(), demoRecords(stage));
  made.engine.run = 'running';
  return made;
}

describe('a newcomer', () => {
  it('is told what to type first in an empty folder', async () => {
    const line = commandLine({}, { up: false });
    await expect(
      [
        (await line.run('')).transcript,
        (await line.run('list')).transcript,
        (await line.run('report')).transcript,
        (await line.run('rnu x.yaml')).transcript,
        (await line.run('run')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('empty-folder'));
  });

  it('finds every command and the exit codes in the help', async () => {
    const line = commandLine();
    await expect(
      [(await line.run('--help')).transcript, (await line.run('run --help')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('help'));
  });
});

describe('a run', () => {
  it('shows what was frozen, a line per change, and ends with the table', async () => {
    await expect([(await demoLine({ up: false }).run('demo')).transcript].join('\n')).toMatchFileSnapshot(
      golden('demo'),
    );
  });

  it('returns at once with --detach', async () => {
    const line = demoLine();
    await expect([(await line.run('run demo.yaml --detach')).transcript].join('\n')).toMatchFileSnapshot(
      golden('detach'),
    );
    expect(line.engine.calls).toEqual(['start exp_41d0c2ab', 'close']);
  });

  it('says how to come back after Ctrl-C, and goes on', async () => {
    const line = demoLine();
    line.interruptAfter = 2;
    await expect([(await line.run('run demo.yaml')).transcript].join('\n')).toMatchFileSnapshot(golden('interrupted'));
    expect(line.engine.calls).not.toContain('cancel exp_41d0c2ab');
  });

  it('of a file that changed is refused with the differences', async () => {
    const line = commandLine({
      freeze: async () => {
        throw new AnnealError(
          'ANL-2001',
          { file: 'demo.yaml', experiment: 'exp_41d0c2ab' },
          { why: 'differs in seed 7 → 8', notSpent: 'nothing was started, 0 tokens spent' },
        );
      },
    });
    await expect(
      [(await line.run('run demo.yaml')).transcript, (await line.run('run demo.yaml --json')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('changed-file'));
  });
});

describe('a plan', () => {
  const rates = { input: 2_000_000, output: 8_000_000, cacheRead: 500_000, cacheWrite: 2_000_000 };
  const price: ModelPrice = { kind: 'rates', rates, longPrompt: null, asOf: '2026-11-01', source: 'a price list' };
  const prices = { solver: price, updater: price };
  const preview = (changes: LockChanges) => ({ preview: async () => buildLock(changes) });

  it('says what an experiment would take against its limits, from declared shares where nothing is on record', async () => {
    const priced = commandLine(preview({ real: true, prices, caps: { moneyUsd: 2, solverTokens: 1_000_000 } }), {
      up: false,
    });
    const unknown = commandLine(preview({ real: true }), { up: false });
    await expect(
      [
        (await priced.run('run ace.yaml --dry-run')).transcript,
        (await unknown.run('run ace.yaml --dry-run')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('dry-run'));
    expect(priced.engine.calls).toEqual([]);
  });

  it('tells of caps what its run tells of them, before anything is spent', async () => {
    const lock = buildLock({ real: true, prices, caps: { moneyUsd: 2, solverTokens: 400_000 } });
    const line = commandLine({ preview: async () => lock, freeze: async () => ({ kind: 'new', lock }) });
    const capsOf = (text: string): string[] =>
      text.split('\n').filter((each) => / cap of | left for the baseline /.test(each));
    const planned = capsOf((await line.run('run ace.yaml --dry-run')).out).map((each) =>
      each.replace(/^caps/, '').trim(),
    );
    writeExperiment(line.home, lock, []);
    const launched = await line.run('run ace.yaml --detach');
    await expect([launched.transcript].join('\n')).toMatchFileSnapshot(golden('detach-capped'));
    expect(capsOf(launched.out).map((each) => each.trim())).toEqual(planned);
    expect(planned).toHaveLength(5);
    const event = JSON.parse((await line.run('run ace.yaml --detach --json')).out) as Record<string, unknown>;
    expect(event).toMatchObject({ kind: 'launch', caps: [{ kind: 'money' }, { kind: 'solver-tokens' }] });
  });

  it('says what is reused of the same experiment, and rests on what its attempts took', async () => {
    const line = commandLine(preview({}));
    writeExperiment(line.home, buildLock(), demoRecords(3));
    await expect([(await line.run('run demo.yaml --dry-run')).transcript].join('\n')).toMatchFileSnapshot(
      golden('dry-run-again'),
    );
    writeExperiment(line.home, buildLock(), demoRecords(5));
    const over = await line.run('run demo.yaml --dry-run');
    expect(over.out).toMatch(/^complete: nothing is left to be done$/m);
    expect(over.out).toMatch(/^attempts +0 +0 +0$/m);
    expect(over.out).toMatch(/^next {2}anneal report exp_41d0c2ab$/m);
    writeExperiment(line.home, buildLock(), demoRecords(3));
    const plan = JSON.parse((await line.run('run demo.yaml --dry-run --json')).out) as Record<string, unknown>;
    expect(plan).toMatchObject({ version: 1, standing: 'known', solverBasis: { kind: 'records' } });
    expect(line.engine.calls).toEqual([]);
  });
});

describe('a look at what goes on', () => {
  it('shows the folder, what happened since the last look, and the next command', async () => {
    const line = withRecords(1);
    const before = await line.run('');
    line.now += 600_000;
    const story = demoStory().story;
    const later = story.records.slice(0, demoStory().stages[2]).map((record) => ({
      ...record,
      at: new Date(
        Date.parse(record.at) + (record.at > new Date(startedAt + 9000).toISOString() ? 500_000 : 0),
      ).toISOString(),
    }));
    writeExperiment(line.home, story.lock, later);
    await expect([before.transcript, (await line.run('')).transcript].join('\n')).toMatchFileSnapshot(golden('status'));
  });

  it('shows attempts in flight by how far they are, never by task', async () => {
    const line = commandLine({ ledger: async () => ledgerView });
    writeExperiment(line.home, buildLock(), demoRecords(2));
    line.engine.run = 'running';
    await expect([(await line.run('status demo')).transcript].join('\n')).toMatchFileSnapshot(golden('in-flight'));
  });

  it('says what needs a person', async () => {
    const down = withRecords(2);
    down.engine.isUp = false;
    const paused = withRecords(2);
    paused.engine.paused = true;
    await expect(
      [(await down.run('')).transcript, (await paused.run('status 41d0')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('needs-you'));
  });

  it('shows finals as counts until the experiment is closed', async () => {
    const line = withRecords(4);
    await expect(
      [(await line.run('status')).transcript, (await line.run('report')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('open-report'));
  });

  it('lists experiments newest first', async () => {
    const line = withRecords(5);
    const newer = buildLock({ id: 'exp_7be913aa', name: 'ahe', real: true, createdAt: startedAt + 86_400_000 });
    writeExperiment(line.home, newer, []);
    await expect(
      [(await line.run('list')).transcript, (await line.run('list --json')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('list'));
  });
});

describe('a report', () => {
  it('is the table, with what it rests on, in wide and narrow terminals', async () => {
    const line = withRecords(5);
    await expect(
      [(await line.run('report')).transcript, (await line.run('report', 80)).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('report'));
  });

  it('marks numbers below the coverage floor and lists what is unscored', async () => {
    const line = commandLine();
    const story = new Story()
      .attempts('h0', { p1: 0.5, d1: 0.5, x3: 0.5 })
      .query('ace', 0, 50, 1)
      .revision('ace/cand-1');
    story.attempts('ace/cand-1', { p1: 0.4, d1: agentError(0), x3: 0.5 }).query('ace', 1, 30, 2);
    story
      .decision('ace', 'search-ended', 'search time is over')
      .champion('ace', 'gated', 0)
      .champion('ace', 'bestEvolved', 1);
    const finals = { p4: 0.5, d4: 0.5, x4: 0.5, c1: 0.5, c2: 0.5, c3: 0.5, c4: 0.5 };
    story.attempts('h0', finals);
    story.attempts('ace/cand-1', { ...finals, d4: infrastructure(), c1: agentError(0.25), c2: agentError(0) }).closed();
    writeExperiment(line.home, story.lock, story.records);
    await expect([(await line.run('report')).transcript].join('\n')).toMatchFileSnapshot(golden('below-floor'));
  });

  it('goes to files that carry the world of a simulated run in their names', async () => {
    const line = withRecords(5);
    await expect(
      [(await line.run('report --format md,csv,json -o reports')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('report-files'));
    const summary = readFileSync(`${line.directory}/reports/summary.simulated-no-transfer.md`, 'utf8');
    await expect(summary).toMatchFileSnapshot('../transcripts/summary.simulated-no-transfer.md');
  });
});

describe('steering', () => {
  it('pauses, resumes with other lanes, and cancels', async () => {
    const line = withRecords(2);
    await expect(
      [
        (await line.run('pause')).transcript,
        (await line.run('resume exp_41 -n 4')).transcript,
        (await line.run('cancel demo')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('steering'));
    expect(line.engine.calls.filter((call) => call !== 'close')).toEqual([
      'pause exp_41d0c2ab',
      'start exp_41d0c2ab',
      'resume exp_41d0c2ab 4',
      'cancel exp_41d0c2ab',
    ]);
  });

  it('of a closed experiment is refused by its records, whether services run or not', async () => {
    const line = withRecords(5);
    await expect(
      [
        (await line.run('resume')).transcript,
        (await line.run('cancel 41d0')).transcript,
        (await line.run('pause')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('closed'));
    expect(line.engine.calls).toEqual([]);
  });
});
