import { execa } from 'execa';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';
import { freezeOnServer, serverEnvironment } from '../support/server-experiment.ts';
import { type SimulatedServer, startSimulatedServer } from '../support/simulated-server.ts';
import { type Findings, WholeRun } from '../support/whole-run.ts';

/** Two tasks to learn from and to select with: the search has calls left when its first attempt is scored. */
const splits = {
  feedback: ['office-mini/p2', 'office-mini/x1'],
  selection: ['office-mini/d1', 'office-mini/x3'],
  'final-in-domain': ['office-mini/x4'],
  'final-cross-office': ['office-mini/c1'],
};

interface Said {
  readonly exit: number | undefined;
  readonly out: string;
  readonly told: string;
}

/** A command of a person in the folder of the experiment, with a key of their own in the environment. */
async function anneal(run: WholeRun, server: SimulatedServer, key: string, ...words: string[]): Promise<Said> {
  const environment = { ...process.env, ...serverEnvironment(server, key), ANNEAL_HOME: run.home.root };
  delete (environment as NodeJS.ProcessEnv)['TEMPORAL_ADDRESS'];
  const command = [join(packageRoot, 'dist', 'src', 'cli', 'main.js'), ...words];
  const { exitCode, stdout, stderr } = await execa(process.execPath, command, {
    cwd: run.root,
    env: environment,
    extendEnv: false,
    reject: false,
  });
  return { exit: exitCode, out: stdout, told: stderr };
}

async function whole(server: SimulatedServer, key: string): Promise<WholeRun> {
  const run = new WholeRun(serverEnvironment(server, key));
  await freezeOnServer(run, server, splits);
  return run;
}

describe('an experiment whose key is wrong at first and revoked in the search', () => {
  let server: SimulatedServer;
  let disturbed: WholeRun;
  let undisturbed: Findings;
  let bill: SimulatedServer['bill'];
  let billBefore: SimulatedServer['bill'];
  let first: Said;
  let status: Said;
  let listed: Said;
  let resumed: Said;
  let second: Said;
  let end: Said;
  let findings: Findings;
  let charged: number;

  beforeAll(async () => {
    server = await startSimulatedServer('no-transfer', 'the-first-key-of-all');
    const calm = await whole(server, 'the-first-key-of-all');
    await calm.engine.up(() => {});
    await calm.engine.start(calm.lock);
    await calm.complete();
    undisturbed = calm.findings();
    billBefore = { ...server.bill };
    await calm.remove();

    disturbed = await whole(server, 'a-key-that-is-wrong');
    first = await anneal(disturbed, server, 'a-key-that-is-wrong', 'run', 'experiment.yaml');
    status = await anneal(disturbed, server, 'a-key-that-is-wrong', 'status');
    listed = await anneal(disturbed, server, 'a-key-that-is-wrong', 'list');
    resumed = await anneal(disturbed, server, 'the-first-key-of-all', 'resume');
    while (!disturbed.records().some((record) => record.kind === 'attempt' && record.split === 'feedback')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    server.rotate('the-second-key-of-all');
    second = await anneal(disturbed, server, 'the-first-key-of-all', 'watch');
    end = await anneal(disturbed, server, 'the-second-key-of-all', 'run', 'experiment.yaml');
    findings = disturbed.findings();
    charged = (await disturbed.calls()).reduce((sum, row) => sum + (row.charged ?? 0), 0);
    bill = { calls: server.bill.calls - billBefore.calls, tokens: server.bill.tokens - billBefore.tokens };
  }, 400_000);

  afterAll(async () => {
    await disturbed.remove();
    await server.close();
  });

  test('ends the following command with the error, its reason, the next command and what was not spent', () => {
    expect({ exit: first.exit, told: first.told }).toMatchObject({ exit: 5 });
    expect(first.told).toMatch(/ANL-5101 {2}the provider refuses the key of the solver model \(WHOLE_RUN_KEY\)/);
    expect(first.told).toMatch(/why {2}401 no key \(halted \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/);
    expect(first.told).toMatch(/next export WHOLE_RUN_KEY=… , then: anneal resume exp_[0-9a-f]{8}/);
    expect(first.told).toContain('0 tokens are spent');
  });

  test('says on every screen that it needs a person', () => {
    expect(status.out).toMatch(/paused.*phase baseline/);
    expect(status.out).toMatch(/needs you.*ANL-5101/);
    expect(listed.out).toContain('needs you (ANL-5101)');
  });

  test('takes over a key that changed in the environment, and says so', () => {
    expect({ exit: resumed.exit, told: resumed.told }).toMatchObject({ exit: 0 });
    expect(resumed.told).toContain('WHOLE_RUN_KEY changed since they were started');
  });

  test('pauses again where the key is revoked, with all that is scored in place', () => {
    expect({ exit: second.exit, told: second.told }).toMatchObject({ exit: 5 });
    expect(second.told).toContain('ANL-5101');
  });

  test('ends with the table of an undisturbed run', () => {
    expect({ exit: end.exit, told: end.told }).toMatchObject({ exit: 0 });
    expect(findings).toEqual(undisturbed);
  });

  test('is charged what the provider billed, each call once', () => {
    expect(bill).toEqual(billBefore);
    expect(charged).toBe(bill.tokens);
  });

  test('records when it was held and when it went on', () => {
    const events = disturbed
      .records()
      .flatMap((record) =>
        record.kind === 'decision' && record.event.startsWith('experiment-') ? [record.event] : [],
      );
    expect(events.filter((event) => event === 'experiment-held').length).toBeGreaterThanOrEqual(2);
    expect(events.at(-1)).toBe('experiment-closed');
  });
});
