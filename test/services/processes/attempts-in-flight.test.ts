import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeOf } from '../../../src/adapters/directory-place.ts';
import { dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import { attemptsInFlight, stopAttempt } from '../../../src/services/processes/attempts-in-flight.ts';
import { processIdentity } from '../../../src/services/processes/process-identity.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  ['goes while it is looked at', (): void => {}],
  ['is cut short', (path: string): void => writeFileSync(path, '{ "pid": 1')],
  ['is no file', (path: string): void => mkdirSync(path)],
])('a keeper whose file %s is in flight no more, and hides no other', (_, leave) => {
  const home = dataHomeAt(temporaryFolder('home'));
  const [gone, alive] = ['a-1', 'b-1'].map((name) => join(home.attempts, name));
  for (const folder of [gone, alive]) mkdirSync(folder ?? '', { recursive: true });
  leave(join(gone ?? '', 'keeper.json'));
  const own = processIdentity(process.pid);
  const keeper = { pid: process.pid, startTime: Number(own?.startTicks), place: placeOf(alive ?? '') };
  writeFileSync(join(alive ?? '', 'keeper.json'), JSON.stringify(keeper));
  expect(attemptsInFlight(home)).toEqual([{ stateDirectory: alive, keeper: own }]);
});

test('an attempt that ended before it could be stopped is stopped', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const keeper = processIdentity(child.pid ?? 0) ?? { pid: 0, startTicks: '' };
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect(stopAttempt({ stateDirectory: '', keeper })).resolves.toBeUndefined();
});
