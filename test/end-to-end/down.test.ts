import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/schema/record.ts';
import { type AttemptInFlight, attemptsInFlight } from '../../src/services/processes/attempts-in-flight.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { type Findings, WholeRun, packExperiment } from '../support/whole-run.ts';

/** Words of the instruction of the one selection task, which the baseline begins with. */
const firstTask = 'lists what was billed';
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

/** H0, but slow in the first attempt of all, so that it can be caught in the middle. */
const slowAgent = `import time

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        self.slow = "${firstTask}" in task and not variables.get("playbook")
        return super().run(task, **variables)

    def step(self):
        if self.slow and self.n_calls == 2:
            time.sleep(3)
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

/** Wait until a harness has run at least one command, and stop its jail there; answers what lets it go on. */
async function heldInFlight({ home }: WholeRun): Promise<() => void> {
  while (true) {
    const flying = attemptsInFlight(home).find((attempt) => hasRun(attempt));
    if (flying !== undefined) {
      const jail = childrenOf(flying.keeper.pid);
      signal(jail, 'SIGSTOP');
      return () => signal(jail, 'SIGCONT');
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Some may have ended since they were looked up. */
function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Whether its harness has run a command. */
function hasRun({ stateDirectory }: AttemptInFlight): boolean {
  const log = join(stateDirectory, 'commands.jsonl');
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The processes below one, children of children too. */
function childrenOf(parent: number): number[] {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const below = (one: number): number[] => lines.flatMap(([pid, of]) => (of === one ? [pid, ...below(pid)] : []));
  return below(parent);
}

/** null when the process has gone. */
function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
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
        const goOn = await heldInFlight(run);
        await run.engine.down({ now: how === 'now' }, (line) => {
          told.push(line);
          if (line.startsWith('waiting for')) goOn();
        });
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
