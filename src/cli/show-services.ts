import { textTable } from '../report/layout/text-table.ts';
import type { ServiceState } from '../services/engine.ts';
import type { CommandContext } from './context.ts';

/** One line per service: state, pid, where it listens. */
export function showServices({ terminal }: CommandContext, services: readonly ServiceState[]): void {
  const rows = services.map(({ name, state, pid, detail }) => [
    state === 'stopped' ? terminal.palette.dim(state) : terminal.palette.green(state),
    name,
    pid === null ? '' : `pid ${pid}`,
    state === 'stopped' ? '' : detail,
  ]);
  terminal.print(textTable(rows));
}
