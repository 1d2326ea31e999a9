import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { AnnealError } from '../domain/errors.ts';
import { World, WorldName } from '../schema/world.ts';

/**
 * Read a published world, `<directory>/<name>.yaml`.
 * @throws AnnealError ANL-1003 when there is no such world; ZodError when its file is not a world document.
 */
export function readWorld(directory: string, name: string): World {
  const file = join(directory, `${name}.yaml`);
  if (!WorldName.safeParse(name).success || !existsSync(file)) {
    const published = WorldName.options.filter((world) => existsSync(join(directory, `${world}.yaml`)));
    const why = `there is no world "${name}"; published worlds: ${published.join(', ')}`;
    throw new AnnealError('ANL-1003', { key: 'world', file: 'the experiment' }, { why });
  }
  return World.parse(parse(readFileSync(file, 'utf8')));
}
