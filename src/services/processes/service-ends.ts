import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataHome } from '../data-home/data-home.ts';
import { type ServiceName, serviceNames } from './service-specification.ts';

/** How often each service has ended by itself under the supervisor that runs. */
export type ServiceEnds = Readonly<Record<ServiceName, number>>;

/** Write down how often a service has ended, beside its pid file. */
export function writeEnds(pidFile: string, ends: number): void {
  const file = endsFile(pidFile);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, `${ends}\n`);
  renameSync(`${file}.part`, file);
}

/** What the supervisor counted so far; 0 where it counted nothing or the file was lost. */
export function readEnds(home: DataHome): ServiceEnds {
  const of = (name: ServiceName): number => {
    try {
      return Number.parseInt(readFileSync(endsFile(join(home.run, `${name}.pid`)), 'utf8'), 10) || 0;
    } catch {
      return 0;
    }
  };
  return { temporal: of('temporal'), gateway: of('gateway'), worker: of('worker') };
}

/** What an earlier supervisor counted says nothing about the next one. */
export function forgetEnds(home: DataHome): void {
  for (const name of serviceNames) rmSync(endsFile(join(home.run, `${name}.pid`)), { force: true });
}

function endsFile(pidFile: string): string {
  return pidFile.replace(/\.pid$/, '.ends');
}
