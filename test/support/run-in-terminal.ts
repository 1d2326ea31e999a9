import { execa } from 'execa';
import { fileURLToPath } from 'node:url';

export interface TerminalRun {
  /** 98 when it did not end in time. */
  readonly exit: number;
  /** As the terminal received it, escape sequences included; line ends are `\r\n`. */
  readonly printed: string;
}

/**
 * Run a shell command in a pseudo-terminal. Each step types its keys once its text has been printed after the step before.
 */
export async function runInTerminal(
  command: string,
  steps: readonly (readonly [text: string, keys: string])[] = [],
  { columns = 80, rows = 24, seconds = 30 } = {},
): Promise<TerminalRun> {
  const driver = fileURLToPath(new URL('run_in_terminal.py', import.meta.url));
  const parameters = [driver, String(columns), String(rows), JSON.stringify(steps), String(seconds), command];
  const { stdout, exitCode = -1 } = await execa('python3', parameters, { reject: false, stripFinalNewline: false });
  return { exit: exitCode, printed: stdout };
}
