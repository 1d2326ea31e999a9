import { plainText } from '../domain/plain-text.ts';
import type { Terminal } from './terminal.ts';

/** The colours and weights that palettes write; nothing else that begins with an escape reaches a terminal. */
const ownStyles = /(\u001b\[(?:0|1|2|22|31|32|33|39)m)/;

/**
 * A terminal that no text can steer: whatever models, jails, providers or files wrote is printed without escape
 * sequences, control characters and bidirectional overrides. Only the styles of our own palettes pass.
 */
export function guardedTerminal(terminal: Terminal): Terminal {
  const { live } = terminal;
  return {
    ...terminal,
    print: (text) => terminal.print(guard(text)),
    narrate: (text) => terminal.narrate(guard(text)),
    live: live === null ? null : { draw: (text) => live.draw(guard(text)), end: () => live.end() },
    get columns() {
      return terminal.columns;
    },
  };
}

function guard(text: string): string {
  return text
    .split(ownStyles)
    .map((part, index) => (index % 2 === 1 ? part : plainText(part)))
    .join('');
}

/** JSON for a terminal or a pipe: what a terminal might act on stands escaped, so that the parsed value is the same. */
export function terminalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
