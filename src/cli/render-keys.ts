import type { Palette } from '../report/layout/palette.ts';
import type { Status } from '../report/status/status.ts';
import { wrapParts } from '../report/layout/wrap-parts.ts';
import { flightsShown } from '../report/status/render-status.ts';
import type { Screen } from './press-key.ts';

/** The closing lines of a followed screen: what the keys do now, or what is asked, with what came of the last one. */
export function renderKeys(
  { mode, notice, allAttempts }: Screen,
  status: Status,
  columns: number,
  palette: Palette,
): string {
  const line = ((): string[] => {
    switch (mode.kind) {
      case 'watching':
        return [
          ...(status.state === 'paused' ? ['p resume'] : ['p pause']),
          'l lanes',
          ...(status.inFlight.length > flightsShown ? [allAttempts ? 'a fewer attempts' : 'a all attempts'] : []),
          'enter one attempt',
          'q leave, it goes on',
        ];
      case 'lanes':
        return [`lanes, now ${status.lanes}: ${palette.bold(`${mode.digits}_`)}`, 'enter set', 'esc back'];
      case 'attempt':
        return ['up, down other attempts', 'esc back', 'q leave, it goes on'];
    }
  })();
  return [
    ...(notice === '' ? [] : [palette.yellow(notice)]),
    ...wrapParts(line, columns - 1).map((text) => (mode.kind === 'lanes' ? text : palette.dim(text))),
  ]
    .map((text) => ` ${text}`)
    .join('\n');
}
