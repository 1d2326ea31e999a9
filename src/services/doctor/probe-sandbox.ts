import { BubblewrapSandbox } from '../../adapters/bubblewrap.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { environmentDirectory, isEnvironmentReady } from '../python/python-environments.ts';
import { sandboxSettings } from '../sandbox-settings.ts';
import { removeStaging } from '../data-home/staging.ts';

/** What one real jailed command showed. */
export type SandboxFinding =
  | { readonly kind: 'works'; readonly level: 'full' | 'user'; readonly detail: string }
  | { readonly kind: 'fails'; readonly why: string; readonly fix: string };

/** Run a command in a real jail: its level, the uid the host saw, and that the network was refused. About 0.1 s. */
export async function probeSandbox(home: DataHome): Promise<SandboxFinding> {
  const names = (['solver', 'runner'] as const).filter((name) => isEnvironmentReady(home, name));
  const found = await new BubblewrapSandbox(sandboxSettings(home)).probe({
    mounts: names.map((name) => ({ source: environmentDirectory(home, name), target: `/opt/${name}`, how: 'bind' })),
    interpreters: names.map((name) => `/opt/${name}/bin/python`),
  });
  removeStaging(home);
  if (found.kind === 'impossible') return { kind: 'fails', why: found.reason, fix: found.remedy };
  if (found.network === 'reached') {
    return { kind: 'fails', why: 'a jailed command reached the network', fix: 'report this: no run is safe here' };
  }
  const broken = found.interpreters.find((interpreter) => interpreter.kind === 'fails');
  if (broken?.kind === 'fails') {
    return {
      kind: 'fails',
      why: `${broken.path} does not run in a jail: ${broken.detail}`,
      fix: 'use a system Python that every user can read',
    };
  }
  const uid = found.hostUid === null ? 'own user namespace' : `host uid ${found.hostUid}`;
  const detail = `bubblewrap, level ${found.level} (${uid}, memory cgroup ${found.isolation.cgroup}), network refused, ${found.durationMs} ms`;
  return { kind: 'works', level: found.level, detail };
}
