import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnnealError } from '../../domain/errors.ts';
import type { DataHome } from './data-home.ts';

/** Layout version of a data home; raised with every change that an earlier engine could not read. */
const dataHomeVersion = 1;

/** Stamp a data home that has no version yet. @throws AnnealError as `refuseOtherVersion`. */
export function stampDataHome(home: DataHome): void {
  const file = versionFile(home);
  if (!existsSync(file)) writeFileSync(file, `${dataHomeVersion}\n`);
  refuseOtherVersion(home);
}

/**
 * Nothing is read from a data home, or written to it, that another version laid out. One without a version is new.
 * @throws AnnealError ANL-2003.
 */
export function refuseOtherVersion(home: DataHome): void {
  const file = versionFile(home);
  if (!existsSync(file)) return;
  const found = readFileSync(file, 'utf8').trim();
  if (found === String(dataHomeVersion)) return;
  const isNewer = /^\d{1,9}$/.test(found) && Number(found) > dataHomeVersion;
  const shown = found.slice(0, 40) || 'nothing';
  throw new AnnealError(
    'ANL-2003',
    { home: home.root, found: shown },
    {
      at: [{ file, line: 1 }],
      why: `layout version ${shown}, this anneal reads ${dataHomeVersion}${isNewer ? ': a newer one wrote it' : ''}`,
      next: isNewer
        ? 'install the newer anneal again, or start a new data home: ANNEAL_HOME=…'
        : 'use the anneal that wrote it, or start a new data home: ANNEAL_HOME=…',
      notSpent: 'nothing was started, 0 tokens spent',
    },
  );
}

function versionFile(home: DataHome): string {
  return join(home.root, 'version');
}
