import { plainText } from './plain-text.ts';

/** A text from outside in one line, without what could cut it short or steer a terminal. */
export function oneLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ').trim();
}
