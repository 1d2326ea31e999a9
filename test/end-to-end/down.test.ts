import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/schema/record.ts';
import { attemptsInFlight } from '../../src/services/processes/attempts-in-flight.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { type Findings, WholeRun, packExperiment } from '../support/whole-run.ts';

const pack = packExperiment(
  {
    feedback: ['office-mini/x1'],
    selection: ['office-mini/x3'],
    'final-in-domain': ['office-mini/x4'],
    'final-cross-office': [],
  },
  undefined,
  1,
);

/** H0, but in no hurry while it has no playbook: an attempt lasts longer than a worker takes to stop. */
const slowAgent = `import time

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        self.slow = not variables.get("playbook")
        return super().run(task, **variables)

    def step(self):
        if self.slow and self.n_calls == 2:
            time.sleep(4)
        return super().step()
`;

const h0 = join(packageRoot, 'harnesses', 'h0');
const files = {
  ...pack,
  'experiment.yaml': (pack['experiment.yaml'] ?? '').replace(/^harness: .*$/m, 'harness: harness'),
  'harness/agent.py': slowAgent,
  ...Object.fromEntries(
    ['environment.py', 'systemprompt.md', 'playbook.md'].map((name) => [
      `harness/${name}`,
      readFileSync(join(h0, name), 'utf8'),
    ]),
  ),
};

interface Finished {
  readonly findings: Findings;
  readonly attempts: readonly AttemptRecord[];
  readonly charged: number;
}

async function finish(run: WholeRun): Promise<Finished> {
  await run.complete();
  const attempts = run.records().filter((record) => record.kind === 'attempt');
  const charged = (await run.calls()).reduce((sum, row) => sum + (row.charged ?? 0), 0);
  const finished = { findings: run.findings(), attempts, charged };
  await run.engine.down({ now: true }, () => {});
  return finished;
}

/** Wait until a harness has run at least one command. */
async function untilInFlight({ home }: WholeRun): Promise<void> {
  while (!attemptsInFlight(home).some(({ stateDirectory }) => existsSync(join(stateDirectory, 'commands.jsonl')))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('an experiment whose services are stopped in the middle of an attempt', () => {
  const runs: WholeRun[] = [];
  const told: string[] = [];
  let calm: Finished;
  let waited: Finished;
  let stopped: Finished;
  const left: number[] = [];

  beforeAll(async () => {
    for (const how of ['calm', 'wait', 'now'] as const) {
      const run = new WholeRun();
      runs.push(run);
      await run.start(files, 1);
      if (how !== 'calm') {
        await untilInFlight(run);
        await run.engine.down({ now: how === 'now' }, (line) => told.push(line));
        left.push(attemptsInFlight(run.home).length);
        left.push((await run.engine.services()).filter(({ state }) => state !== 'stopped').length);
        await run.engine.up(() => {});
      }
      const finished = await finish(run);
      if (how === 'calm') calm = finished;
      else if (how === 'wait') waited = finished;
      else stopped = finished;
    }
  }, 300_000);

  afterAll(async () => {
    for (const run of runs) await run.remove();
  });

  test('leaves neither service nor keeper behind', () => {
    expect(left).toEqual([0, 0, 0, 0]);
    expect(told.filter((line) => line.includes('in flight'))).toEqual([
      'waiting for 1 attempts in flight (anneal down --now stops them)',
      'stopping 1 attempts in flight; they go on as the next epoch',
    ]);
  });

  test('comes to the same once it is up again', () => {
    expect(waited.findings).toEqual(calm.findings);
    expect(stopped.findings).toEqual(calm.findings);
  });

  test('collects the attempt that finished meanwhile: no epoch is lost', () => {
    expect(waited.attempts.map(({ epoch }) => epoch)).toEqual(calm.attempts.map(() => 1));
    expect(waited.charged).toBe(calm.charged);
  });

  test('with --now goes on as the next epoch, from the record, and pays for no call twice', () => {
    const again = stopped.attempts.filter(({ epoch }) => epoch > 1);
    expect(again).toHaveLength(1);
    const lost = stopped.attempts.find(({ key, epoch }) => key === again[0]?.key && epoch === 1);
    expect(lost?.outcome).toMatchObject({ kind: 'unscored_infra', phase: 'host', reason: 'stopped on request' });
    expect(again[0]?.usage).toMatchObject({ replayed: lost?.usage.calls, divergedAtCall: null });
    expect(again[0]?.usage.replayed).toBeGreaterThan(0);
    expect(stopped.charged).toBe(calm.charged);
  });
});
