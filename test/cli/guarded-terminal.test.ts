import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { colouredDiff } from '../../src/cli/coloured-diff.ts';
import { guardedTerminal, terminalJson } from '../../src/cli/guarded-terminal.ts';
import { plainPalette, type Palette } from '../../src/report/layout/palette.ts';

const colours: Palette = picocolors.createColors(true);

function printed(text: string): { readonly out: string; readonly errors: string; readonly drawn: string } {
  const seen = { out: '', errors: '', drawn: '' };
  const terminal = guardedTerminal({
    print: (line) => void (seen.out += line),
    narrate: (line) => void (seen.errors += line),
    live: { draw: (frame) => void (seen.drawn += frame), end: () => undefined },
    keyboard: null,
    palette: plainPalette,
    narrationPalette: plainPalette,
    columns: 80,
  });
  terminal.print(text);
  terminal.narrate(text);
  terminal.live?.draw(text);
  return seen;
}

const hostile: readonly (readonly [string, string])[] = [
  ['a window title', '\u001b]0;owned\u0007text'],
  ['a link', '\u001b]8;;http://x.example\u001b\\text'],
  ['a cleared screen', '\u001b[2J\u001b[Htext'],
  ['a moved cursor', '\u001b[5Atext'],
  ['a clipboard write', '\u001b]52;c;AAAA\u0007text'],
  ['an 8-bit sequence', '\u009b31mtext'],
  ['a backspace over what stands before', '\b\btext'],
  ['a bell', '\u0007text'],
  ['reversed writing', '\u202etext'],
];

describe('nothing that is printed steers the terminal', () => {
  it.each(hostile)('%s is printed as plain text on both streams and in the live area', (_, text) => {
    expect(printed(text)).toEqual({ out: 'text', errors: 'text', drawn: 'text' });
  });

  it('while our own colours, tabs and line ends stay', () => {
    const own = `${colours.bold('a')}\t${colours.red('b')}\n${colours.dim('c')}${colours.yellow('d')}${colours.green('e')}`;
    expect(printed(own).out).toBe(own);
  });

  it('for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(printed(text).out.replaceAll(/\u001b\[(?:0|1|2|22|31|32|33|39)m/g, '')).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
    );
  });
});

describe('JSON for a terminal', () => {
  it('is free of what a terminal acts on and parses to the same value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = terminalJson({ text });
        expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
    const json = terminalJson({ text: '\u001b]0;x\u0007\u009b31m\u202e' });
    expect(printed(json).out).toBe(json);
  });
});

describe('a diff', () => {
  const patch = [
    'diff --git a/playbook.md b/playbook.md',
    '@@ -1 +1 @@',
    '-old',
    '+\u001b[31mnew\u001b]0;t\u0007',
    ' same',
  ];

  it('keeps its lines and loses the colours and titles that a candidate wrote into them', () => {
    expect(colouredDiff(patch.join('\n'), plainPalette).split('\n')).toEqual([...patch.slice(0, 3), '+new', ' same']);
  });

  it('is coloured by us', () => {
    const lines = colouredDiff(patch.join('\n'), colours).split('\n');
    expect(lines[2]).toBe(colours.red('-old'));
    expect(lines[3]).toBe(colours.green('+new'));
  });
});
