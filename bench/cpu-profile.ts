import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Milliseconds of CPU that one owner of code used itself, callees not counted. */
export interface OwnTime {
  readonly owner: string;
  readonly ms: number;
}

/**
 * Sums the `.cpuprofile` files in a folder (one a thread, as `node --cpu-prof` writes them) by owner: a package, a source
 * file of ours, a part of Node, or the engine itself (`(garbage collector)`, `(program)`); idle time is left out. Largest first.
 */
export function ownTimes(folder: string): readonly OwnTime[] {
  const times = new Map<string, number>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
    const owners = new Map(profile.nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]));
    for (const [index, id] of profile.samples.entries()) {
      const owner = owners.get(id) ?? '(unknown)';
      if (owner !== '(idle)') times.set(owner, (times.get(owner) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1000);
    }
  }
  return [...times].map(([owner, ms]) => ({ owner, ms })).toSorted((one, other) => other.ms - one.ms);
}

function ownerOf({ functionName, url }: { functionName: string; url: string }): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`;
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library !== undefined) return library;
  return /dist\/(.+)\.js$/.exec(url)?.[1] ?? url;
}
