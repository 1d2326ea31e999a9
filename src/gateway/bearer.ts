import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether an authorization header carries the token; takes the same time wherever they differ. */
export function bearerMatches(header: string | undefined, token: string): boolean {
  const given = header?.startsWith('Bearer ') === true ? header.slice('Bearer '.length) : '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
