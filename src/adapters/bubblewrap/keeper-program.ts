import { join } from 'node:path';

/** How keepers are started on this host. */
export interface KeeperProgram {
  /** Interpreter, Python 3.11 or newer; default `/usr/bin/python3`. */
  readonly python?: string;
  /** Folder that holds `keeper.py`. */
  readonly keeperDirectory: string;
  /** Where compiled Python is kept, so that the second keeper starts in half the time; default beside the sources. */
  readonly bytecodeDirectory?: string;
  /** Run keepers as this account instead of the worker's own; only root can. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** Command line of the keeper in one of its modes. */
export function keeperCommand(program: KeeperProgram, ...mode: string[]): [string, string[]] {
  const cache = program.bytecodeDirectory === undefined ? [] : ['-X', `pycache_prefix=${program.bytecodeDirectory}`];
  const script = join(program.keeperDirectory, 'keeper.py');
  return [program.python ?? '/usr/bin/python3', [...cache, '-I', '-S', script, ...mode]];
}
