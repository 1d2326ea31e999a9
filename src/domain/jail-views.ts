import type { JailMount } from '../schema/sandbox.ts';

/** What a jail sees of the host, and its whole environment. Paths inside a jail are fixed: requests and tests name them. */
export interface JailView {
  readonly mounts: JailMount[];
  readonly environment: Record<string, string>;
}

const home = { HOME: '/tmp', LANG: 'C.UTF-8' };

/** A solver's command: the office libraries and what the task sets. `solver` is that Python environment's host folder. */
export function taskJailView(solver: string, environment: Readonly<Record<string, string>>): JailView {
  return {
    mounts: [{ source: solver, target: '/opt/solver', how: 'bind' }],
    environment: { ...environment, PATH: '/opt/solver/bin:/usr/bin:/bin', ...home },
  };
}

/** A judge: the outputs where the solver had them, the task's tests, the judges and their Python. All host folders. */
export function judgeJailView(folders: {
  readonly outputs: string;
  /** The solver's working directory, inside its jail and this one. */
  readonly workDirectory: string;
  readonly tests: string;
  readonly judges: string;
  readonly solver: string;
}): JailView {
  const { outputs, workDirectory, tests, judges, solver } = folders;
  return {
    mounts: [
      { source: outputs, target: workDirectory, how: 'copy' },
      { source: tests, target: '/tests', how: 'copy' },
      { source: judges, target: '/opt/judges', how: 'copy' },
      { source: solver, target: '/opt/solver', how: 'bind' },
    ],
    environment: {
      PATH: '/usr/bin:/bin',
      ...home,
      ANNEAL_PYTHON: '/opt/solver/bin/python',
      ANNEAL_JUDGES: '/opt/judges',
    },
  };
}
