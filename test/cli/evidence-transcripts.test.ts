import { afterEach, describe, expect, it } from 'vitest';
import type { Audit, AuditLine } from '../../src/audit/audit-experiment.ts';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords, demoStory } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { buildLock } from '../support/lock-builder.ts';
import { judgeFailure, Story } from '../support/record-builders.ts';

const opened: CommandLine[] = [];

function commandLine(...parameters: ConstructorParameters<typeof CommandLine>): CommandLine {
  const made = new CommandLine(...parameters);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

function golden(name: string): string {
  return `../transcripts/${name}.txt`;
}

function withRecords(stage: number): CommandLine {
  const made = commandLine();
  writeExperiment(made.home, buildLock(), demoRecords(stage));
  made.engine.run = 'running';
  return made;
}

describe('an audit', () => {
  const line = (name: string, text: string): AuditLine => ({ name, state: 'ok', text, faults: [], repair: null });
  const auditOf = (checks: readonly AuditLine[]): Audit => ({
    version: 1,
    experiment: 'exp_41d0c2ab',
    simulated: true,
    world: 'no-transfer',
    labels: ['simulated · world no-transfer · tests the engine, says nothing about any method'],
    checks,
    failed: checks.filter(({ state }) => state === 'fail').length,
  });
  const faults = ['4 canaries in prompt 1f2e3d4c5b6a of ace', 'a', 'b', 'c', 'd'];
  const sound = [
    line('ledger', '8214 rows, none unsettled; reported 1.93M ≤ charged 2.07M'),
    {
      ...line('blind', 'told after close: before, it would tell what is in the sealed tasks'),
      state: 'skipped' as const,
    },
  ];

  it('is a line per check, with the repair beside each that failed and exit code 6', async () => {
    const sealed = { ...line('sealed', faults[0] ?? ''), state: 'fail' as const, faults, repair: 'mend the leak' };
    const broken = commandLine({ audit: async () => auditOf([...sound, sealed]) });
    const ok = commandLine({ audit: async () => auditOf(sound) });
    for (const made of [broken, ok]) writeExperiment(made.home, buildLock(), demoRecords(5));
    await expect(
      [
        (await broken.run('audit')).transcript,
        (await ok.run('audit demo')).transcript,
        (await ok.run('audit demo --json')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('audit'));
    expect((await broken.run('audit --json')).exit).toBe(6);
  });
});

describe('what a judge failed on', () => {
  const failed = () => new Story().attempts('h0', { p2: judgeFailure(), d2: 0.5, p1: judgeFailure() });

  it('is judged again, with the attempts of sealed splits as counts until the experiment is closed', async () => {
    const line = commandLine({}, { up: false });
    writeExperiment(line.home, buildLock(), failed().records);
    line.engine.afterRejudge = (lock) => {
      const story = failed().judgement('h0', 'p2', 2, 0.7).judgement('h0', 'p1', 2, judgeFailure());
      writeExperiment(line.home, lock, story.records);
    };
    await expect(
      [
        (await line.run('rejudge')).transcript,
        (await line.run('rejudge d2')).transcript,
        (await line.run('rejudge p1')).transcript,
        (await line.run('rejudge nothing')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('rejudge'));
    expect(line.engine.calls.filter((call) => call.startsWith('rejudge'))).toEqual(['rejudge exp_41d0c2ab #1/2 #1/2']);
  });

  it('is named by every screen while the experiment is held, and a resume once all of it is judged', async () => {
    const line = commandLine({}, { up: false });
    const figures = { hold: 'coverage', pass: 'baseline', missing: 1, judge: 1, scored: 0, planned: 3, since: 0 };
    const held = () => failed().decision(null, 'experiment-held', 'any', figures);
    writeExperiment(line.home, buildLock(), held().records);
    line.engine.afterRejudge = (lock) => {
      const story = held().judgement('h0', 'p2', 2, 0.7).judgement('h0', 'p1', 2, 0.7);
      writeExperiment(line.home, lock, story.records);
    };
    line.engine.run = 'running';
    line.engine.isUp = true;
    const nextOf = async (words: string): Promise<string | undefined> =>
      /^next {2}(.*)$/m.exec((await line.run(words)).out)?.[1];
    const resume = 'anneal resume exp_41d0c2ab';
    for (const screen of ['status', '', 'report'])
      expect(await nextOf(screen)).toBe(`anneal rejudge exp_41d0c2ab     then: ${resume}`);
    for (const screen of ['rejudge', 'status', '', 'report']) expect(await nextOf(screen)).toBe(resume);
  });

  it('is not there where every judge gave its verdict', async () => {
    const line = withRecords(5);
    await expect(
      [(await line.run('rejudge demo')).transcript, (await line.run('rejudge demo --json')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('rejudge-nothing'));
  });
});

describe('an experiment that will not go on', () => {
  it('is closed with its exposure told, once', async () => {
    const line = withRecords(4);
    line.engine.run = 'failed';
    line.engine.afterClose = (lock) => {
      const { story, stages } = demoStory();
      story.records.splice(stages[4] ?? 0);
      writeExperiment(line.home, lock, story.closed('cancelled').records);
    };
    await expect(
      [(await line.run('close')).transcript, (await line.run('close demo')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('close'));
    expect(line.engine.calls.filter((call) => call.startsWith('close experiment'))).toHaveLength(1);
  });

  it('whose keepers were left running says so, with the command that ends them', async () => {
    const line = withRecords(2);
    const keeper = { pid: 1, startTicks: '1' };
    const lock = buildLock();
    line.engine.orphans = [{ stateDirectory: '/a', keeper, experiment: lock.id }];
    await expect([(await line.run('')).transcript].join('\n')).toMatchFileSnapshot(golden('left-behind'));
  });
});
