import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { readPidFile } from './pid-file.ts';

/**
 * Key variables of an experiment whose value here is another than the running gateway was started with: a process keeps
 * the environment of its start. A variable that is not set here is not missed. Empty where no gateway runs, or where its
 * environment may not be read.
 */
export function staleKeys(home: DataHome, { identity }: ExperimentLock, environment: NodeJS.ProcessEnv): string[] {
  const gateway = readPidFile(join(home.run, 'gateway.pid'));
  const started = gateway === null ? null : environmentOf(gateway.pid);
  if (started === null) return [];
  const names = Object.values(identity.models).flatMap((model) =>
    model === null || model.provider === 'simulated' ? [] : (model.keyVariable ?? []),
  );
  return [...new Set(names)].filter((name) => {
    const value = environment[name] ?? '';
    return value !== '' && value !== started.get(name);
  });
}

function environmentOf(pid: number): ReadonlyMap<string, string> | null {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
  } catch {
    return null;
  }
}
