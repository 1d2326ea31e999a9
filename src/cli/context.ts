import { existsSync } from 'node:fs';
import { AnnealError } from '../domain/errors.ts';
import { labelsOf } from '../report/layout/labels.ts';
import type { ExitCode } from '../report/exit-code.ts';
import type { ExperimentLock } from '../schema/experiment-lock.ts';
import { locateDataHome, refuseOtherThanFolder, type DataHome } from '../services/data-home/data-home.ts';
import { refuseOtherVersion } from '../services/data-home/data-home-version.ts';
import type { Engine } from '../services/engine.ts';
import { damagedExperiments, findExperiment, listExperiments } from '../services/data-home/experiment-directory.ts';
import type { Dependencies } from './dependencies.ts';
import { terminalJson } from './guarded-terminal.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export class CommandContext {
  readonly terminal: Terminal;
  readonly dependencies: Dependencies;
  /** What the process ends with; a command sets it when it is not 0. */
  exitCode: ExitCode = 0;

  constructor(terminal: Terminal, dependencies: Dependencies) {
    this.terminal = terminal;
    this.dependencies = dependencies;
  }

  /** The data home of the working directory, whether it exists or not. @throws AnnealError ANL-1018 when it is no folder, ANL-2003. */
  home(): DataHome {
    const home = locateDataHome(this.dependencies.workingDirectory, this.dependencies.environment);
    refuseOtherThanFolder(home);
    refuseOtherVersion(home);
    return home;
  }

  /** @throws AnnealError ANL-1012 when there is none. */
  existingHome(): DataHome {
    const home = this.home();
    if (existsSync(home.root)) return home;
    const { workingDirectory } = this.dependencies;
    throw new AnnealError('ANL-1012', { directory: workingDirectory }, { next: 'anneal demo     or: anneal run FILE' });
  }

  /**
   * The experiment a person means: id, prefix or name; the newest without one.
   * @throws AnnealError ANL-1008, ANL-1009, ANL-1019.
   */
  experiment(home: DataHome, wanted: string | undefined): ExperimentLock {
    if (listExperiments(home).length === 0 && damagedExperiments(home).length === 0) {
      if (wanted === undefined) throw new AnnealError('ANL-1019', { home: home.root });
      const details = { why: 'there is none in it yet', next: 'anneal demo     or: anneal run FILE' };
      throw new AnnealError('ANL-1008', { experiment: wanted, home: home.root }, details);
    }
    return findExperiment(home, wanted);
  }

  /** Tell what is there and cannot be read; nothing for a sound data home. */
  tellDamage(home: DataHome): void {
    for (const { error } of damagedExperiments(home)) {
      this.terminal.narrate(`${error.code}  ${error.message}: ${error.why ?? ''}     ${error.next}`);
    }
  }

  /** Use an engine and let go of its connections, whatever happens. */
  async withEngine<Value>(home: DataHome, use: (engine: Engine) => Promise<Value>): Promise<Value> {
    const engine = await this.dependencies.createEngine(home);
    try {
      return await use(engine);
    } finally {
      await engine.close();
    }
  }

  printJson(value: unknown): void {
    this.terminal.print(terminalJson(value, 2));
  }

  /** What belongs to every screen of an experiment: nothing for real models. */
  labels(lock: ExperimentLock): void {
    for (const label of labelsOf(lock)) this.terminal.print(this.terminal.palette.yellow(label));
  }

  /** The line that ends a screen. */
  next(command: string): void {
    this.terminal.print(`${this.terminal.palette.dim('next')}  ${command}`);
  }
}
