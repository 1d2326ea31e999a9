import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readWorld } from '../../src/adapters/world-file.ts';
import type { World } from '../../src/schema/world.ts';

export const worldsDirectory: string = fileURLToPath(new URL('../../src/simulated/worlds', import.meta.url));

export function worldNamed(name: string): World {
  return readWorld(worldsDirectory, name);
}

/** Every published world, by file name. */
export const publishedWorlds: World[] = readdirSync(worldsDirectory)
  .toSorted()
  .map((file) => worldNamed(file.replace(/\.yaml$/, '')));
