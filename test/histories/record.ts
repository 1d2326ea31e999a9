import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { packageRoot } from '../../src/services/package-root.ts';
import { currentTemporalAddress } from '../../src/services/temporal/temporal-address.ts';
import { workflowIds } from '../../workflows/workflow-ids.ts';
import { ArmName } from '../../src/schema/ids.ts';
import { WholeRun, packExperiment } from '../support/whole-run.ts';

/**
 * Records the histories beside this file anew from a small real run, for a change of workflows that may break the replay
 * of running experiments: `npm run build && npx tsx test/histories/record.ts`. Names of machines are left out.
 */
const splits = {
  feedback: ['office-mini/x1'],
  selection: ['office-mini/x3'],
  'final-in-domain': ['office-mini/x4'],
  'final-cross-office': [],
};

const run = new WholeRun();
try {
  await run.start(packExperiment(splits, undefined, 1), 2);
  await run.complete();
  const { id } = run.lock;
  const arm = ArmName.parse('ace');
  const workflows = {
    experiment: workflowIds.experiment(id),
    arm: workflowIds.arm(id, arm),
    'evaluate-selection': workflowIds.pass(id, arm, 'selection-1'),
    'evaluate-final': workflowIds.pass(id, ArmName.parse('h0'), 'final'),
  };
  const address = currentTemporalAddress(run.home, {})?.address ?? '';
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  const folder = join(packageRoot, 'test', 'histories');
  mkdirSync(folder, { recursive: true });
  for (const [name, workflowId] of Object.entries(workflows)) {
    const json = historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory());
    const anonymous = json
      .replaceAll(/"identity": "[^"]*"/g, '"identity": "worker"')
      .replaceAll(`@${hostname()}`, '@host');
    writeFileSync(join(folder, `${name}.json`), `${anonymous}\n`);
  }
  await connection.close();
} finally {
  await run.remove();
}
