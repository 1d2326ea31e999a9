import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/services/package-root.ts';

const report = {
  version: 1,
  delivered: true,
  deliveryFaults: [],
  criteria: [],
  rewardDeterministic: 1,
  rewardVisual: null,
  reward: 1,
  vector: { semantic: null, preservation: null, interaction: null, strict: true },
};

/** A judge that does nothing but give its verdict. */
export const stubJudge = `#!/bin/bash
echo 1 > /logs/verifier/reward.txt
cat > /logs/verifier/judge.json <<'END'
${JSON.stringify(report)}
END
`;

/** What a stub experiment is made of; `judgeSeconds`: how long the judges wait, in turn (default: not at all). */
export interface StubExperiment {
  readonly name: string;
  readonly attempts: number;
  readonly lanes: number;
  readonly judgeSeconds?: readonly number[];
}

/**
 * Write an experiment of `attempts` selection tasks that cost nothing themselves: a stub harness, a no-op judge, no search.
 * Returns the experiment file.
 */
export function writeStubExperiment(folder: string, experiment: StubExperiment): string {
  const { name, attempts, lanes, judgeSeconds = [0] } = experiment;
  const ids = Array.from({ length: attempts }, (_, index) => `t${String(index).padStart(5, '0')}`);
  for (const [index, id] of [...ids, 'feedback'].entries())
    writeTask(join(folder, 'tasks', id), id, judgeSeconds[index % judgeSeconds.length] ?? 0);
  cpSync(join(packageRoot, 'harnesses', 'h0'), join(folder, 'h0'), { recursive: true });
  cpSync(join(packageRoot, 'budgets', 'smoke.yaml'), join(folder, 'budgets.yaml'));
  const list = (names: readonly string[]): string => names.map((id) => `  - stub/${id}\n`).join('');
  writeFileSync(
    join(folder, 'splits.yaml'),
    `version: 1\nname: stub\nfeedback:\n${list(['feedback'])}selection:\n${list(ids)}final-in-domain: []\nfinal-cross-office: []\n`,
  );
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    [
      ...['version: 1', `name: ${name}`, 'harness: h0', 'tasks:', '  - name: stub', '    directory: tasks'],
      ...[
        'splits: splits.yaml',
        'budgets: budgets.yaml',
        `seed: ${lanes}`,
        'arms:',
        '  - name: static',
        '    updater: static',
      ],
      ...[
        'models:',
        '  solver: { provider: simulated, world: "null" }',
        '  updater: { provider: simulated, world: "null" }',
      ],
      `lanes: ${lanes}`,
    ].join('\n'),
  );
  return file;
}

function writeTask(folder: string, id: string, judgeSeconds: number): void {
  for (const part of ['environment', 'tests', 'solution', 'replays'])
    mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(
    join(folder, 'task.toml'),
    `schema_version = "1.4"\n[metadata]\nmodality = "document"\nleakage_group = "${id}"\n[agent]\ntimeout_sec = 60\n`,
  );
  writeFileSync(join(folder, 'instruction.md'), `Nothing is to be done in ${id}.\n`);
  writeFileSync(join(folder, 'environment', 'Dockerfile'), 'FROM python:3.11-slim\nWORKDIR /app\n');
  const waiting = judgeSeconds === 0 ? stubJudge : stubJudge.replace('\n', `\nsleep ${judgeSeconds}\n`);
  writeFileSync(join(folder, 'tests', 'test.sh'), waiting);
  chmodSync(join(folder, 'tests', 'test.sh'), 0o755);
  writeFileSync(join(folder, 'solution', 'solve.py'), 'pass\n');
  writeFileSync(join(folder, 'replays', 'trap.py'), 'pass\n');
}
