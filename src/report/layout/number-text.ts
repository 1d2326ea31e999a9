/** Points with one decimal, `-` for none: `47.4`. */
export function pointsText(points: number | null, decimals = 1): string {
  return points === null ? '-' : points.toFixed(decimals);
}

/** A difference with its sign, exactly zero without one: `+7.6`, `-1.7`, `0.0`. */
export function deltaText(delta: number | null, decimals = 1): string {
  if (delta === null) return '-';
  return `${delta > 0 ? '+' : delta < 0 ? '-' : ''}${Math.abs(delta).toFixed(decimals)}`;
}

/** Tokens in three figures or so: `840`, `41.2k`, `412k`, `2.75M`; `-` when unknown. */
export function tokensText(tokens: number | null): string {
  if (tokens === null) return '-';
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 99_950) return `${(tokens / 1000).toFixed(1)}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1e6).toFixed(2)}M`;
}

/** A span in its two largest units: `45 s`, `3 m 12 s`, `1 h 25 m`, `2 d 3 h`; a smaller unit of zero is left out. */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return units(minutes, 'm', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? units(hours, 'h', minutes % 60, 'm') : units(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function units(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** `1 task`, `3 tasks`; `irregular` where an s is not enough. */
export function countText(count: number, noun: string, irregular = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : irregular}`;
}
