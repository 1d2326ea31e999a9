import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { AnnealError } from '../../domain/errors.ts';
import { attemptsInFlight } from '../processes/attempts-in-flight.ts';
import type { DataHome } from '../data-home/data-home.ts';
import type { Engine } from '../engine.ts';
import { listExperiments } from '../data-home/experiment-directory.ts';
import { environmentFault, environmentNames, isEnvironmentReady } from '../python/python-environments.ts';
import { findPythonInterpreter } from '../python/python-interpreter.ts';
import { fail, ok, warn, type Check } from './check.ts';
import { probeTemporal } from '../temporal/probe-temporal.ts';
import { probeSandbox } from './probe-sandbox.ts';
import { checkUserNamespaces } from './user-namespaces.ts';

/** Free bytes below which a run is likely to end for want of disk. */
const diskFloor = 2 * 1024 ** 3;

/** Check every real component in the order in which they are needed. Starts and installs nothing. */
export async function runDoctor(engine: Engine, environment: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const { home } = engine;
  return [
    checkNode(),
    await checkPython(),
    checkNamespaces(),
    await checkGit(),
    checkDisk(home),
    ...checkEnvironments(home),
    await checkSandbox(home),
    ...(await checkServices(engine)),
    ...checkKeys(home, environment),
    await checkKeepers(engine),
  ];
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || major === 21 || major === 22;
  return fits ? ok('node', process.version) : fail('node', process.version, 'install Node 20.19 or newer, below 23');
}

async function checkPython(): Promise<Check> {
  try {
    const { path, version } = await findPythonInterpreter();
    return ok('python', `${path} ${version} with venv`);
  } catch (error) {
    if (!(error instanceof AnnealError)) throw error;
    return fail('python', error.why ?? error.message, error.next);
  }
}

function checkNamespaces(): Check {
  const found = checkUserNamespaces();
  return found.kind === 'available'
    ? ok('namespaces', 'user and mount namespaces can be made')
    : fail('namespaces', found.why, found.fix);
}

async function checkGit(): Promise<Check> {
  const found = await execa('git', ['--version'], { reject: false });
  return found.exitCode === 0
    ? ok('git', found.stdout.replace('git version ', ''))
    : fail('git', 'not found', 'apt-get install git');
}

function checkDisk(home: DataHome): Check {
  let place = home.root;
  while (!existsSync(place)) place = dirname(place);
  if (!mayWrite(place)) return fail('disk', `${place} may not be written to`, 'set ANNEAL_HOME to a folder of yours');
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const detail = `${(free / 1024 ** 3).toFixed(1)} GiB free at ${place}`;
  return free >= diskFloor
    ? ok('disk', detail)
    : fail('disk', detail, 'free space, or set ANNEAL_HOME to another disk');
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function checkEnvironments(home: DataHome): Check[] {
  return environmentNames.map((name) => {
    const fault = environmentFault(home, name);
    if (fault === null) return ok(`env ${name}`, 'matches its lock');
    return fault === 'absent'
      ? warn(`env ${name}`, 'not installed yet', 'anneal up installs it (about 30 s)')
      : fail(`env ${name}`, fault, 'anneal up builds it anew (about 30 s)');
  });
}

async function checkSandbox(home: DataHome): Promise<Check> {
  if (!isEnvironmentReady(home, 'tools')) return warn('sandbox', 'not tried: env tools is missing', 'anneal up');
  const found = await probeSandbox(home);
  return found.kind === 'works' ? ok('sandbox', found.detail) : fail('sandbox', found.why, found.fix);
}

async function checkServices(engine: Engine): Promise<Check[]> {
  const states = await engine.services();
  return Promise.all(
    states.map(async ({ name, state, pid, detail }) => {
      if (state !== 'running' && state !== 'external') return warn(name, state, 'anneal up');
      const found = name === 'temporal' ? await probeTemporal(detail) : null;
      if (found?.kind === 'fails') return fail(name, found.why, silentServerFix[state]);
      return ok(name, `${detail}${pid === null ? '' : ` (pid ${pid})`}`);
    }),
  );
}

const silentServerFix = {
  running: 'anneal down && anneal up',
  external: 'start the server there, or unset TEMPORAL_ADDRESS: then anneal starts one of its own',
} as const;

/** Attempts in flight, and keepers that run for nobody. */
async function checkKeepers(engine: Engine): Promise<Check> {
  const orphans = await engine.leftBehind();
  const running = attemptsInFlight(engine.home).length;
  if (orphans.length === 0) return ok('keepers', running === 0 ? 'none runs' : `${running} running`);
  return warn('keepers', `${orphans.length} of ${running} left running by a workflow that is gone`, 'anneal down');
}

/** Provider keys of the experiments here, by presence only; no value is read. */
function checkKeys(home: DataHome, environment: NodeJS.ProcessEnv): Check[] {
  const variables = new Set(
    listExperiments(home).flatMap(({ identity }) =>
      [identity.models.solver, identity.models.updater, identity.models.judge].flatMap((model) =>
        model !== null && model.provider !== 'simulated' && model.keyVariable !== null ? [model.keyVariable] : [],
      ),
    ),
  );
  if (variables.size === 0) return [ok('keys', 'none needed by the experiments here')];
  return [...variables].map((variable) =>
    (environment[variable] ?? '') === ''
      ? warn(`key ${variable}`, 'not set', `export ${variable}=… , then: anneal down && anneal up`)
      : ok(`key ${variable}`, 'set'),
  );
}
