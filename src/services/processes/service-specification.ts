import { join } from 'node:path';
import { isPlacedIn } from '../../adapters/directory-place.ts';
import type { DataHome } from '../data-home/data-home.ts';
import { packageRoot } from '../package-root.ts';
import { textIfThere } from './text-if-there.ts';
import { environmentDirectory } from '../python/python-environments.ts';

/** The background services, in the order in which they start; they stop in the reverse order. */
export const serviceNames = ['temporal', 'gateway', 'worker'] as const;
/** A process that the supervisor starts. */
export type ServiceName = (typeof serviceNames)[number];

/** How one service is started. */
export interface ServiceSpecification {
  readonly name: ServiceName;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly pidFile: string;
  readonly log: string;
  /** A socket that it listens at while it is well; null where it has none in the file system. */
  readonly socket: string | null;
}

/** Variables that every service may see; provider keys reach the gateway alone. */
const passed = /^(PATH|HOME|USER|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|ANNEAL_.*|TEMPORAL_.*)$/;

/** Poll rates of the server's queues: its defaults cost 50 ms per activity, these cost about 15. */
export const pollSettings: readonly string[] = ['transfer', 'timer', 'visibility'].flatMap((queue) => [
  '--dynamic-config-value',
  `history.${queue}ProcessorMaxPollRPS=2000`,
]);

/** Path of the Temporal CLI: `ANNEAL_TEMPORAL_CLI`, else the pinned one. */
export function temporalCli(home: DataHome, environment: NodeJS.ProcessEnv): string {
  return environment['ANNEAL_TEMPORAL_CLI'] ?? join(environmentDirectory(home, 'tools'), 'bin', 'temporal');
}

/** The specification of one service of a data home. `temporalAddress` is where the server listens or shall listen. */
export function serviceSpecification(
  home: DataHome,
  name: ServiceName,
  temporalAddress: string,
  environment: NodeJS.ProcessEnv,
): ServiceSpecification {
  const pidFile = join(home.run, `${name}.pid`);
  const log = join(home.logs, `${name}.log`);
  const limited = Object.fromEntries(Object.entries(environment).filter(([key]) => passed.test(key)));
  const shared = { ANNEAL_HOME: home.root, TZ: 'UTC', TEMPORAL_ADDRESS: temporalAddress };
  const node = (entry: string): Pick<ServiceSpecification, 'command' | 'parameters'> => ({
    command: process.execPath,
    parameters: ['--enable-source-maps', join(packageRoot, 'dist', 'src', entry)],
  });
  switch (name) {
    case 'temporal': {
      const [ip = '127.0.0.1', port = '7233'] = temporalAddress.split(':');
      return {
        name,
        command: temporalCli(home, environment),
        parameters: [
          ...['server', 'start-dev', '--headless', '--ip', ip, '--port', port, '--log-level', 'error'],
          ...['--db-filename', home.temporalDatabase],
          ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=FULL'],
          ...pollSettings,
        ],
        // The server refuses to start without the two.
        environment: { USER: 'anneal', HOME: home.root, ...limited, TZ: 'UTC' },
        pidFile,
        log,
        socket: null,
      };
    }
    case 'gateway':
      return {
        name,
        ...node('gateway/main.js'),
        environment: { ...environment, ...shared },
        pidFile,
        log,
        socket: home.controlSocket,
      };
    case 'worker':
      return { name, ...node('worker.js'), environment: { ...limited, ...shared }, pidFile, log, socket: null };
  }
}

/**
 * Address of the embedded server that this data home used last, null before its first start, for a damaged file and for one
 * that was copied from another data home.
 */
export function storedTemporalAddress(home: DataHome): string | null {
  const [address = '', place = ''] = textIfThere(join(home.run, 'temporal.address')).trim().split(' ');
  return /^127\.0\.0\.1:[1-9]\d{0,4}$/.test(address) && isPlacedIn(place, home.run) ? address : null;
}
