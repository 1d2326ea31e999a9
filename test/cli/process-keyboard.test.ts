import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runInTerminal } from '../support/run-in-terminal.ts';

const program = `node --import tsx ${fileURLToPath(new URL('../support/keyboard-program.ts', import.meta.url))}`;
/** The terminal's modes, as a shell finds them afterwards. */
const modes = `stty -a | grep -oE -- '-?(icanon|isig|echo)( |$)' | tr -d '\\n'`;
const whole = 'isigicanonecho';

function spaceless(text: string): string {
  return text.replaceAll(/\s/g, '');
}

describe('the keyboard', () => {
  it('hears keys one by one, without a line end and without an echo', async () => {
    const { printed, exit } = await runInTerminal(program, [['listening', 'pl4\r\u001b[Aq']]);
    expect(printed.split('\r\n').slice(1, -1)).toEqual(['key p', 'key l', 'key 4', 'key return', 'key up', 'key q']);
    expect(exit).toBe(0);
  });

  it.each([
    ['at the end of listening', 'q', 0],
    ['when the process exits', 'x', 3],
    ['when it throws', 't', 1],
    ['after SIGTERM', 'k', 143],
    ['after SIGHUP', 'h', 129],
    ['after Ctrl-C', '\u0003', 0],
  ])('gives the terminal back %s', async (_, key, code) => {
    const { printed } = await runInTerminal(`${program}; echo " code $?."; ${modes}`, [['listening', key]]);
    expect(printed).toContain(` code ${code}.`);
    expect(spaceless(printed)).toMatch(new RegExp(`${whole}$`));
  });

  it('passes Ctrl-C on as the interrupt that it is', async () => {
    const { printed } = await runInTerminal(program, [['listening', '\u0003']]);
    expect(printed).toContain('interrupted');
  });

  it('is given back while the job is suspended, and taken again with it', async () => {
    const { printed } = await runInTerminal(`set -m; ${program}; ${modes}; echo; echo suspended; fg`, [
      ['listening', '\u001a'],
      ['suspended', ''],
      ['program.ts', 'pq'],
    ]);
    expect(spaceless(printed)).toContain(`${whole}suspended`);
    expect(printed).toMatch(/suspended[^]*key p\r\nkey q/);
  });

  it.each([
    ['of a job in the background', `set -m; ${program} & wait`],
    ['where standard input is a pipe', `true | ${program}`],
  ])('is not touched %s', async (_, command) => {
    const { printed } = await runInTerminal(command);
    expect(printed).toContain('no keyboard');
  });
});
