import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnnealError } from '../domain/errors.ts';
import type { DataHome } from './data-home.ts';

/** Layout version of a data home; raised with every change that an earlier engine could not read. */
const dataHomeVersion = '1';

/**
 * Stamp a new data home, or check an old one.
 * @throws AnnealError ANL-2003 when another version wrote it.
 */
export function checkDataHomeVersion(home: DataHome): void {
  const file = join(home.root, 'version');
  if (!existsSync(file)) writeFileSync(file, `${dataHomeVersion}\n`);
  const found = readFileSync(file, 'utf8').trim();
  if (found === dataHomeVersion) return;
  throw new AnnealError(
    'ANL-2003',
    { home: home.root, found },
    { why: `layout version ${found}, this engine reads ${dataHomeVersion}`, notSpent: 'nothing was started' },
  );
}
