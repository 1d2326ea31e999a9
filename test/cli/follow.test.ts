import { afterEach, describe, expect, it } from 'vitest';
import type { FreezeRequest } from '../../src/cli/dependencies.ts';
import { AnnealError } from '../../src/domain/errors.ts';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { ledgerView } from '../support/ledger-view.ts';
import { buildLock } from '../support/lock-builder.ts';

const opened: CommandLine[] = [];
const requests: FreezeRequest[] = [];

function demoLine(options: ConstructorParameters<typeof CommandLine>[1] = {}, stage = 0): CommandLine {
  const lock = buildLock();
  const made: CommandLine = new CommandLine(
    {
      freeze: async (request) => {
        requests.push(request);
        return { kind: 'known', lock };
      },
    },
    options,
  );
  writeExperiment(made.home, lock, stage === 0 ? [] : demoRecords(stage));
  made.engine.stages = [0, 1, 2, 3, 4, 5].map((each) => demoRecords(each));
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
  requests.length = 0;
});

describe('following', () => {
  it('redraws one area in place on a terminal, and prints no line per change', async () => {
    const line = demoLine({ live: true });
    const { errors, out } = await line.run('run demo.yaml');
    expect(line.frames).toHaveLength(6);
    expect(line.frames[2]).toContain(' ^C leaves it running');
    expect(line.frames.at(-1)).not.toContain('^C');
    expect(errors).toBe('');
    expect(out).toContain('ace cand-2  100.0 (+50.0)');
  });

  it('never shows a mean of finals before the report', async () => {
    const line = demoLine({ live: true });
    await line.run('run demo.yaml');
    for (const frame of line.frames.slice(0, -1)) expect(frame).not.toMatch(/final.*\d\d\.\d/);
  });

  it('looks again at ten times the time that a look takes', async () => {
    const line = demoLine();
    const sleeps: number[] = [];
    const { sleep } = line.dependencies;
    Object.assign(line.dependencies, {
      clock: () => (line.now += 700),
      sleep: (milliseconds: number, signal: AbortSignal) => {
        sleeps.push(milliseconds);
        return sleep(milliseconds, signal);
      },
    });
    await line.run('run demo.yaml');
    expect(Math.min(...sleeps)).toBeGreaterThanOrEqual(7000);
  });

  it('waits for services that come back, and gives up after two minutes', async () => {
    const line = demoLine({}, 2);
    line.engine.run = 'running';
    const services = line.engine.services.bind(line.engine);
    let look = 0;
    line.engine.services = async () => {
      look += 1;
      line.engine.isUp = look === 1;
      return services();
    };
    const { exit, errors } = await line.run('watch');
    expect(exit).toBe(5);
    expect(errors).toContain('temporal, gateway, worker not running for two minutes');
    expect(look).toBeGreaterThan(10);
  });

  it('says at once when nobody started the services', async () => {
    const line = demoLine({}, 2);
    line.engine.isUp = false;
    let looks = 0;
    const services = line.engine.services.bind(line.engine);
    line.engine.services = async () => {
      looks += 1;
      return services();
    };
    const { exit, errors } = await line.run('watch');
    expect({ exit, looks }).toEqual({ exit: 5, looks: 1 });
    expect(errors).toContain('why  temporal, gateway, worker not running');
    expect(errors).toContain('next anneal up');
  });

  it('asks for nobody while services are away for a moment, and for a person after that', async () => {
    const away = async (looks: number): Promise<string> => {
      const line = demoLine({}, 2);
      line.engine.run = 'running';
      line.engine.stages = Array.from({ length: 20 }, () => demoRecords(2));
      line.interruptAfter = 16;
      let look = 0;
      const services = line.engine.services.bind(line.engine);
      line.engine.services = async () => {
        look += 1;
        line.engine.isUp = look <= 2 || look > 2 + looks;
        return services();
      };
      return (await line.run('watch')).errors;
    };
    expect(await away(3)).not.toContain('needs you');
    expect(await away(3)).not.toContain('state');
    expect(await away(12)).toContain('needs you temporal, gateway, worker not running     anneal up');
  });

  it('survives a workflow that cannot be asked for a while', async () => {
    const line = demoLine();
    const live = line.engine.live.bind(line.engine);
    let looks = 0;
    line.engine.live = async (lock) => {
      looks += 1;
      if (looks === 3) throw new Error('14 UNAVAILABLE: no connection');
      return live(lock);
    };
    expect((await line.run('run demo.yaml')).exit).toBe(0);
  });

  it('ends with an error when the workflow ended without a report, but not before it had time to write one', async () => {
    const line = demoLine({}, 2);
    line.engine.run = 'cancelled';
    line.engine.stages = [demoRecords(2)];
    const began = line.now;
    const { exit, errors } = await line.run('watch');
    expect(exit).toBe(6);
    expect(errors).toContain('ended without a report');
    expect(line.now - began).toBeGreaterThan(20_000);
  });

  it('ends with an error when the workflow failed', async () => {
    const line = demoLine({}, 2);
    line.engine.run = 'failed';
    const { exit, errors } = await line.run('watch');
    expect(exit).toBe(6);
    expect(errors).toContain('next anneal logs worker');
  });
});

describe('running the same file again', () => {
  it('prints the report of a finished experiment without starting anything', async () => {
    const line = demoLine({ up: false }, 5);
    const { out, exit } = await line.run('run demo.yaml');
    expect(exit).toBe(0);
    expect(out).toContain(
      'this experiment is finished; here is its report     another seed: in its file makes another one',
    );
    expect(line.engine.calls).toEqual(['close']);
    expect(line.engine.isUp).toBe(false);
  });

  it('attaches to a running one and says what is not paid again', async () => {
    const line = demoLine({}, 2);
    line.engine.run = 'running';
    line.engine.stages = [2, 2, 5].map((stage) => demoRecords(stage));
    const { out } = await line.run('run demo.yaml');
    expect(out).toContain('attached    10 attempts on record stand and are not paid again');
    expect(line.engine.calls).not.toContain('resume exp_41d0c2ab same lanes');
  });

  it('resumes a paused one', async () => {
    const line = demoLine({}, 2);
    line.engine.run = 'running';
    line.engine.paused = true;
    await line.run('run demo.yaml');
    expect(line.engine.calls).toContain('resume exp_41d0c2ab same lanes');
  });

  it('sets other lanes', async () => {
    const line = demoLine({}, 2);
    line.engine.run = 'running';
    await line.run('run demo.yaml -n 6');
    expect(line.engine.calls).toContain('resume exp_41d0c2ab 6');
    expect(requests).toMatchObject([{ file: 'demo.yaml', lanes: 6, allowNew: false }]);
  });
});

describe('keys', () => {
  function keyLine(keys: readonly (readonly string[])[]): CommandLine {
    const line = demoLine({ live: true });
    line.engine.stages = Array.from({ length: 9 }, () => demoRecords(2)).concat([demoRecords(5)]);
    line.engine.run = 'running';
    line.keys = keys;
    Object.assign(line.dependencies, { ledger: async () => ledgerView });
    return line;
  }

  it('are shown where they work, and only there', async () => {
    const pressable = keyLine([]);
    await pressable.run('watch');
    const without = demoLine({ live: true });
    await without.run('run demo.yaml');
    expect(pressable.frames[0]).toMatch(/\n p pause   l lanes   enter one attempt   q leave, it goes on$/);
    expect(without.frames.join('\n')).not.toContain('pause');
  });

  it('pause, resume and set lanes without ending the look', async () => {
    const line = keyLine([['p'], ['p'], ['l', '4', 'return']]);
    const { exit } = await line.run('watch');
    expect(line.engine.calls.filter((call) => !/^start|close/.test(call))).toEqual([
      'pause exp_41d0c2ab',
      'resume exp_41d0c2ab same lanes',
      'lanes exp_41d0c2ab 4',
    ]);
    expect(line.frames.some((frame) => / paused .* p resume/s.test(frame))).toBe(true);
    expect(line.frames.at(-2)).toContain('4 lanes');
    expect(exit).toBe(0);
  });

  it('q leaves like Ctrl-C: exit code 130, the experiment goes on', async () => {
    const line = keyLine([[], ['q']]);
    const { exit, errors } = await line.run('watch');
    expect(exit).toBe(130);
    expect(errors).toContain('still running: exp_41d0c2ab');
    expect(line.engine.calls).toEqual(['close']);
  });

  it('are heard no more at the end, whether a person left or it was closed', async () => {
    for (const keys of [[['q']], []]) {
      const line = keyLine(keys);
      await line.run('watch');
      expect(line.listening).toBe(false);
    }
  });

  it('show one attempt in full, by its key and never by its task', async () => {
    const line = keyLine([['return'], ['down'], ['escape', 'q']]);
    await line.run('watch');
    const shown = line.frames.findLast((frame) => frame.includes(' attempt    '));
    expect(shown).toMatch(/ attempt    [0-9a-f]{12}#1   solver of ace   \d of 2 in flight\n +call \d+ of 20 · /);
    expect(shown).not.toContain('office-mini');
  });

  it('tell a wish that was not granted and go on', async () => {
    const line = keyLine([['p'], []]);
    line.engine.pause = async () => {
      throw new AnnealError('ANL-5002', {}, {});
    };
    const { exit } = await line.run('watch');
    expect(line.frames.some((frame) => frame.includes('not done: '))).toBe(true);
    expect(exit).toBe(0);
  });
});

describe('what another experiment of the same name is', () => {
  it.each([
    ['open with attempts on record', 2, null, true],
    ['open while its workflow runs', 0, 'running', true],
    ['not open before anything was recorded or started', 0, null, false],
    ['not open once it is closed', 5, 'running', false],
  ] as const)('%s', async (_, stage, run, open) => {
    const line = demoLine({}, stage);
    line.engine.run = run;
    line.engine.stages = [];
    await line.run('run demo.yaml --new --detach');
    line.engine.run = run;
    expect(requests[0]?.allowNew).toBe(true);
    expect(await requests[0]?.isOpen(buildLock())).toBe(open);
  });
});

describe('--json', () => {
  it('prints one launch and one done record, a line each', async () => {
    const { out } = await demoLine().run('run demo.yaml --json');
    const [launch, done, ...rest] = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(rest).toEqual([]);
    expect(launch).toMatchObject({ kind: 'launch', experiment: 'exp_41d0c2ab', start: 'started', kept: 0 });
    expect(done).toMatchObject({
      kind: 'done',
      experiment: 'exp_41d0c2ab',
      state: 'complete',
      exit: 0,
      report: { version: 1 },
    });
  });
});
