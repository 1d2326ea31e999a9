import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataHome } from '../src/services/data-home/data-home.ts';
import { readPidFile } from '../src/services/processes/pid-file.ts';
import { serviceNames, type ServiceName } from '../src/services/processes/service-specification.ts';

const ticksPerSecond = 100;

/** What one service has used: CPU time since its start, in ms, and the memory it holds now, in MB (10^6 bytes). */
export interface ServiceUse {
  readonly cpuMs: number;
  readonly memoryMb: number;
}

/** What each service of a data home has used so far; nothing for one that does not run. */
export function serviceUse(home: DataHome): Readonly<Record<ServiceName, ServiceUse>> {
  const entries = serviceNames.map((name) => [name, useOf(readPidFile(join(home.run, `${name}.pid`))?.pid)]);
  return Object.fromEntries(entries) as Record<ServiceName, ServiceUse>;
}

function useOf(pid: number | undefined): ServiceUse {
  if (pid === undefined) return { cpuMs: 0, memoryMb: 0 };
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond,
    memoryMb: (Number(resident ?? 0) * 1024) / 1e6,
  };
}
