import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { AnnealError } from '../../src/domain/errors.ts';
import { experimentDirectory } from '../../src/services/data-home/experiment-directory.ts';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { buildLock } from '../support/lock-builder.ts';

const opened: CommandLine[] = [];

function commandLine(...parameters: ConstructorParameters<typeof CommandLine>): CommandLine {
  const made = new CommandLine(...parameters);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

describe('exit codes', () => {
  it.each([
    ['--version', 0],
    ['--help', 0],
    ['run --help', 0],
    ['tasks', 0],
    ['', 0],
    ['nothing', 2],
    ['run', 2],
    ['run a.yaml b.yaml', 2],
    ['run a.yaml --nothing', 2],
    ['run a.yaml -n 0', 2],
    ['run a.yaml -n 1.5', 2],
    ['report --format tex', 2],
    ['import officebench x', 2],
    ['status exp_ffff', 2],
  ])('anneal %s ends with %i', async (line, exit) => {
    expect((await commandLine().run(line)).exit).toBe(exit);
  });
});

describe('errors', () => {
  const refusing = (): CommandLine =>
    commandLine({
      freeze: async () => {
        throw new AnnealError('ANL-1004', { file: 'x.yaml' }, { at: [{ file: 'a.yaml', line: 3, column: 7 }] });
      },
    });

  it('go to standard error and leave standard output empty', async () => {
    const { out, errors } = await refusing().run('run x.yaml');
    expect(out).toBe('');
    expect(errors).toContain('error ANL-1004  file x.yaml does not exist\n  at   a.yaml:3:7\n');
  });

  it('carry the same fields under --json', async () => {
    const { out, errors } = await refusing().run('run x.yaml --json');
    expect(out).toBe('');
    expect(JSON.parse(errors)).toMatchObject({
      error: { code: 'ANL-1004', exit: 2, fields: { file: 'x.yaml' }, at: [{ file: 'a.yaml', line: 3, column: 7 }] },
    });
  });

  it('show a stack with --debug only', async () => {
    expect((await refusing().run('run x.yaml')).errors).not.toContain('    at ');
    expect((await refusing().run('run x.yaml --debug')).errors).toContain('    at ');
  });

  it('that nobody foresaw are integrity errors with a way to report them', async () => {
    const { exit, errors } = await commandLine().run('demo');
    expect(exit).toBe(6);
    expect(errors).toContain('this test gives no freeze');
    expect(errors).toContain('--debug');
  });

  it('of the machine about a path are told as such, not as broken integrity', async () => {
    const refused = commandLine({
      freeze: async () => {
        const text = "ENOSPC: no space left on device, write '/data/lock.json'";
        throw Object.assign(new Error(text), { code: 'ENOSPC', syscall: 'write', path: '/data/lock.json' });
      },
    });
    const { exit, errors } = await refused.run('run x.yaml');
    expect(exit).toBe(5);
    expect(errors).toContain('error ANL-3013  the disk of /data/lock.json is full');
    expect(errors).toContain('why  ENOSPC: no space left on device');
  });

  it.each(['', 'list', 'report', 'down', 'doctor', 'up'])(
    'anneal %s names a data home that is a file',
    async (words) => {
      const line = commandLine();
      rmSync(line.home.root, { recursive: true, force: true });
      writeFileSync(line.home.root, '');
      const { exit, errors } = await line.run(words);
      expect(exit).toBe(2);
      expect(errors).toContain('error ANL-1018');
      rmSync(line.home.root);
    },
  );

  it('suggest the command that was meant', async () => {
    expect((await commandLine().run('statsu')).errors).toContain('Did you mean status?');
  });

  it('let go of the engine all the same', async () => {
    const line = refusing();
    await line.run('run x.yaml');
    expect(line.engine.calls).toEqual(['close']);
  });
});

describe('naming an experiment', () => {
  it.each([
    ['by its id', 'exp_41d0c2ab'],
    ['by a prefix of it', 'exp_41'],
    ['by a prefix without exp_', '41d0'],
    ['by its name', 'demo'],
    ['not at all: the newest', ''],
  ])('works %s', async (_, name) => {
    const line = commandLine();
    writeExperiment(line.home, buildLock(), demoRecords(5));
    const { out } = await line.run(`report --json ${name}`);
    expect(JSON.parse(out)).toMatchObject({ experiment: 'exp_41d0c2ab' });
  });

  it('without any here says what to start with', async () => {
    const line = commandLine();
    await line.run('up');
    writeExperiment(line.home, buildLock(), []);
    expect((await line.run('report exp_7')).errors).toContain('next anneal list');
  });
});

describe('a damaged lock', () => {
  it('hides no experiment: list and status name it, and asking for it is an integrity error', async () => {
    const line = commandLine();
    writeExperiment(line.home, buildLock(), demoRecords(5));
    writeFileSync(experimentDirectory(line.home, buildLock().id).lock, '{');
    for (const words of ['list', 'status'])
      expect((await line.run(words)).errors).toContain('lock.json does not match');
    const { exit, errors } = await line.run('report');
    expect(exit).toBe(6);
    expect(errors).toContain('anneal run FILE');
  });
});

describe('status --json', () => {
  it('gives phase, counts, and budgets used and left', async () => {
    const line = commandLine();
    writeExperiment(line.home, buildLock(), demoRecords(2));
    const status: unknown = JSON.parse((await line.run('status demo --json')).out);
    expect(status).toMatchObject({
      experiment: 'exp_41d0c2ab',
      phase: 'search',
      counts: { scored: 10, planned: 17 },
      budgets: [{ arm: 'ace', candidates: { used: 1, left: 2, limit: 3 } }],
    });
  });

  it('is an object in an empty folder too', async () => {
    expect(JSON.parse((await commandLine().run('--json')).out)).toMatchObject({ experiment: null });
  });
});
