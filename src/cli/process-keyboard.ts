import { readFileSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import type { Key, Keyboard } from './terminal.ts';

const showCursor = '\u001b[?25h';
/** Signals that end the process: the terminal is given back before they do. */
const endings = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

interface Pressed {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl?: boolean;
}

/** The keyboard of this process; null when standard input is no terminal, or belongs to another job of the shell now. */
export function processKeyboard(): Keyboard | null {
  return process.stdin.isTTY && isForeground() ? { listen } : null;
}

/**
 * Keys come one by one while somebody listens. The terminal is given back at the end, when the process exits or is ended by
 * a signal, and while it is suspended. Ctrl-C, Ctrl-Z and Ctrl-\ do what they do in any program.
 */
function listen(press: (key: Key) => void): () => void {
  const { stdin } = process;
  const onKey = (text: string | undefined, { name, sequence, ctrl = false }: Pressed): void => {
    const key = { name: name ?? text ?? sequence ?? '', ctrl };
    if (ctrl && key.name === 'c') process.kill(process.pid, 'SIGINT');
    else if (ctrl && key.name === 'z') suspend();
    else if (ctrl && key.name === '\\') process.kill(process.pid, 'SIGQUIT');
    else press(key);
  };
  const take = (): void => {
    if (!isForeground()) return;
    stdin.setRawMode(true);
    stdin.on('keypress', onKey);
    stdin.resume();
  };
  const giveBack = (): void => {
    stdin.off('keypress', onKey);
    stdin.setRawMode(false);
    stdin.pause();
  };
  const suspend = (): void => {
    giveBack();
    process.stderr.write(showCursor);
    // The whole job, as the terminal itself would.
    process.kill(0, 'SIGTSTP');
  };
  const onEnding = (signal: NodeJS.Signals): void => {
    end();
    process.stderr.write(showCursor);
    process.kill(process.pid, signal);
  };
  const end = (): void => {
    giveBack();
    process.off('exit', giveBack).off('SIGCONT', take);
    for (const signal of endings) process.off(signal, onEnding);
  };
  emitKeypressEvents(stdin);
  process.on('exit', giveBack).on('SIGCONT', take);
  for (const signal of endings) process.on(signal, onEnding);
  take();
  return end;
}

/** Whether the terminal is ours: a job in the background is stopped when it changes or reads it. */
function isForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foregroundGroup;
  } catch {
    return false;
  }
}
