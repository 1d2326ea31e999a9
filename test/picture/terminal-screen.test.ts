import { describe, expect, it } from 'vitest';
import { screenSvg } from './screen-svg.ts';
import { terminalScreen } from './terminal-screen.ts';

function textOf(printed: string, columns = 20): string[] {
  return terminalScreen(printed, columns).map((cells) => cells.map(({ character }) => character).join(''));
}

describe('what a terminal shows', () => {
  it.each<[string, string, string[]]>([
    ['lines', 'one\r\ntwo', ['one', 'two']],
    ['a line drawn over another', 'three\rtwo', ['twoee']],
    ['a line that was erased', 'one\r\n\u001b[1A\u001b[2Ktwo', ['two']],
    ['the end of a line that was erased', 'three\u001b[3G\u001b[K', ['th']],
    ['a line that is too long', 'x'.repeat(22), ['x'.repeat(20), 'xx']],
    ['nothing of modes', '\u001b[?25l\u001b[?2026hone\u001b[?2026l', ['one']],
    ['a cursor that went down', 'one\u001b[2B\u001b[1Gthree', ['one', '', 'three']],
  ])('is %s', (_, printed, expected) => {
    expect(textOf(printed)).toEqual(expected);
  });
});

it('a picture keeps text, place and style, and escapes what XML would take for markup', () => {
  const svg = screenSvg(terminalScreen('\u001b[2ma \u001b[22m \u001b[1m<b> & "c"\u001b[22m', 20), 20, 'x');
  expect(svg).toContain('<text x="18.0" y="32" textLength="8.4" class="dim">a</text>');
  expect(svg).toContain('class="bold">&lt;b> &amp; &quot;c&quot;</text>');
});
