import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { AnnealError } from '../../domain/errors.ts';

const probe = [
  '-I',
  '-S',
  '-c',
  'import ctypes,os,sys;sys.exit(0 if ctypes.CDLL(None,use_errno=True).unshare(0x10000000|0x20000)==0 else 1)',
];

/** Whether this machine lets a process make user and mount namespaces, and if not, what to do about it. */
export type UserNamespaces =
  | { readonly kind: 'available' }
  | { readonly kind: 'refused'; readonly why: string; readonly fix: string };

/** Try it in a child; nothing is installed and nothing stays behind. Blocks for about 15 ms. */
export function checkUserNamespaces(): UserNamespaces {
  const tried = spawnSync('python3', probe, { stdio: 'ignore' });
  if (tried.status === 0) return { kind: 'available' };
  if (tried.error !== undefined) {
    return { kind: 'refused', why: 'python3 is missing', fix: 'apt-get install python3 python3-venv' };
  }
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return {
      kind: 'refused',
      why: 'AppArmor forbids unprivileged user namespaces (kernel.apparmor_restrict_unprivileged_userns = 1)',
      fix: 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, or run as root',
    };
  }
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0') {
    return {
      kind: 'refused',
      why: 'the kernel forbids unprivileged user namespaces (kernel.unprivileged_userns_clone = 0)',
      fix: 'sudo sysctl kernel.unprivileged_userns_clone=1, or run as root',
    };
  }
  if (setting('/proc/sys/user/max_user_namespaces') === '0') {
    return { kind: 'refused', why: 'user.max_user_namespaces = 0', fix: 'sudo sysctl user.max_user_namespaces=10000' };
  }
  return {
    kind: 'refused',
    why: 'user namespaces are refused; a container without the needed privileges does that',
    fix: 'start the container with --privileged or with a seccomp profile that allows unshare and mount',
  };
}

/** @throws AnnealError ANL-3001 before anything large is installed; there is never an unsandboxed run. */
export function requireUserNamespaces(): void {
  const found = checkUserNamespaces();
  if (found.kind === 'available') return;
  throw new AnnealError(
    'ANL-3001',
    { fix: found.fix },
    { why: found.why, notSpent: 'nothing was installed or started' },
  );
}

function setting(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}
