import { roomOf } from './room-of.ts';

/**
 * Parts side by side, three spaces apart, in as many lines as the width asks for. A part is never broken; colours take no
 * room.
 */
export function wrapParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && roomOf(last) + 3 + roomOf(part) <= width) lines[lines.length - 1] = `${last}   ${part}`;
    else lines.push(part);
  }
  return lines;
}
