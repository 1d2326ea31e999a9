import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DeterminismViolationError } from '@temporalio/workflow';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';
import { workflowBundle } from '../support/workflow-bundle.ts';

const folder = join(packageRoot, 'test', 'histories');
const recorded = readdirSync(folder).filter((name) => name.endsWith('.json'));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

async function replay(text: string): Promise<void> {
  const history = historyFromJSON(JSON.parse(text) as never);
  await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, history);
}

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => {}), shutdownSignals: [] });
  await workflowBundle();
});

/** Histories of a real run, recorded by `record.ts`: experiments that run while the engine is replaced go on. */
describe('the workflows as they stand', () => {
  test('have a recorded history of each kind', () => {
    const types = recorded.map((name) => /"workflowType": \{\s*"name": "(\w+)"/.exec(textOf(name))?.[1]);
    expect(new Set(types)).toEqual(new Set(['experiment', 'arm', 'evaluate']));
  });

  test.each(recorded)('replay the recorded history %s', async (name) => {
    await expect(replay(textOf(name))).resolves.toBeUndefined();
  });

  test.each([
    ['experiment.json', '"name": "freezeChampions"', '"name": "writeReport"'],
    ['arm.json', '"name": "commitCandidate"', '"name": "reserveQuery"'],
    ['evaluate-final.json', '"name": "performAttempt"', '"name": "foldPass"'],
    ['experiment.json', '/arm/ace"', '/arm/other"'],
  ])('do not replay %s when %s reads %s', async (name, from, to) => {
    const changed = textOf(name).replaceAll(from, to);
    expect(changed).not.toBe(textOf(name));
    await expect(replay(changed)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
