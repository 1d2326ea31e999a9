import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editFile } from './changed-numbers.ts';
import type { PlantedFault } from './planted-faults.ts';

/** Faults of files in the folder of a finished experiment that are no records, one each. */
export const plantedFileFaults: readonly PlantedFault[] = [
  {
    fault: 'an H0 in its folder that is another one',
    plant: (copy) => writeFileSync(join(copy.folder, 'h0', 'playbook.md'), '- another\n'),
    checks: ['config'],
  },
  {
    fault: 'an H0 in its folder that has a file more',
    plant: (copy) => writeFileSync(join(copy.folder, 'h0', 'more.py'), ''),
    checks: ['config'],
  },
  ...['config.yaml', 'sealed/policies.json'].map((name): PlantedFault => ({
    fault: `a ${name} that is not what was frozen`,
    plant: (copy) => {
      const file = join(copy.folder, name);
      writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    },
    checks: ['config'],
  })),
  {
    fault: 'a summary with another line',
    plant: (copy) => editFile(copy, 'reports', /^summary/, (text) => text.replace('| H0 |', '| h0 |')),
    checks: ['report'],
  },
  {
    fault: 'a table of attempts with another cell',
    plant: (copy) => editFile(copy, 'reports', /^attempts/, (text) => text.replace('scored', 'cancelled')),
    checks: ['report'],
  },
  {
    fault: 'a report without one of its members',
    plant: (copy) => editFile(copy, 'reports', /^report/, (text) => text.replace('"notDone": [],', '')),
    checks: ['report'],
  },
  {
    fault: 'a report with another mean',
    plant: (copy) => editFile(copy, 'reports', /^report/, (text) => text.replace(/"mean": ?[\d.]+/, '"mean":99')),
    checks: ['report'],
  },
];
