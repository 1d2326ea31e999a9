import { AnnealError } from '../domain/errors.ts';

/** Two revisions as a person named them; without `experiment` the newest is meant. */
export interface RevisionRange {
  readonly experiment: string | undefined;
  readonly from: string;
  readonly to: string;
}

/**
 * `[EXP] FROM..TO`, `[EXP] FROM TO`, or only `[EXP]`, which means h0..gated.
 * @throws AnnealError ANL-1013 for anything else.
 */
export function parseRange(words: readonly string[]): RevisionRange {
  const last = words.at(-1);
  const dots = last?.indexOf('..') ?? -1;
  if (last !== undefined && dots >= 0 && words.length <= 2) {
    const from = last.slice(0, dots);
    const to = last.slice(dots + 2);
    if (from !== '' && to !== '') return { experiment: words.length === 2 ? words[0] : undefined, from, to };
  }
  if (dots < 0) {
    const [first, second, third] = words;
    if (words.length <= 1) return { experiment: first, from: 'h0', to: 'gated' };
    if (words.length === 2 && first !== undefined && second !== undefined) {
      return { experiment: undefined, from: first, to: second };
    }
    if (words.length === 3 && second !== undefined && third !== undefined) {
      return { experiment: first, from: second, to: third };
    }
  }
  const value = words.join(' ');
  throw new AnnealError('ANL-1013', { option: 'REV..REV', value, command: 'diff' });
}
