import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataHomeAt } from '../../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../../src/services/package-root.ts';
import { auditTasks } from '../../../src/services/task-packs/audit-tasks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  ['a file', join(packageRoot, 'README.md')],
  ['nothing', join(packageRoot, 'nowhere')],
  ['what lies below a file', join(packageRoot, 'README.md', 'tasks')],
  ['a folder without tasks', join(packageRoot, 'docs')],
])('an audit of tasks is refused over %s', async (_, directory) => {
  await expect(auditTasks(directory, dataHomeAt(temporaryFolder('home')), () => {})).rejects.toMatchObject({
    code: 'ANL-1205',
    next: expect.stringContaining('direct children') as unknown,
  });
});
