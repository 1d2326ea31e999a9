import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { AnnealError } from '../domain/errors.ts';
import { FaultProfile, FaultProfileName } from '../schema/fault-profile.ts';

/**
 * Read a published fault profile, `<directory>/<name>.yaml`.
 * @throws AnnealError ANL-1003 when there is no such profile; ZodError when its file is not a profile.
 */
export function readFaultProfile(directory: string, name: string): FaultProfile {
  const file = join(directory, `${name}.yaml`);
  if (!FaultProfileName.safeParse(name).success || !existsSync(file)) {
    const why = `there is no fault profile "${name}"; published profiles: ${FaultProfileName.options.join(', ')}`;
    throw new AnnealError('ANL-1003', { key: 'faults', file: 'the experiment' }, { why });
  }
  return FaultProfile.parse(parse(readFileSync(file, 'utf8')));
}
