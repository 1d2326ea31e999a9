import type { Bullet, PlainLine, Playbook, Section } from './playbook.ts';

const header = /^##[ \t]+(\S.*?)[ \t]*$/s;
const bullet = /^\[([^\]\s]+)\][ \t]+helpful=(\d{1,9})[ \t]+harmful=(\d{1,9})[ \t]*::[ \t]*(.*?)[ \t]*$/s;

/**
 * Reads a playbook. Total: a line that is neither a header nor a bullet is kept as it is, also before the first
 * header. CRLF counts as a line feed. A final line feed leaves no line behind it.
 */
export function parsePlaybook(text: string): Playbook {
  const sections: { name: string | null; lines: (Bullet | PlainLine)[] }[] = [{ name: null, lines: [] }];
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const name = header.exec(line)?.[1];
    if (name === undefined) sections.at(-1)?.lines.push(parseLine(line));
    else sections.push({ name, lines: [] });
  }
  return { sections: sections satisfies Section[] };
}

function parseLine(line: string): Bullet | PlainLine {
  const found = bullet.exec(line);
  if (found === null) return { kind: 'plain', text: line };
  const [, id = '', helpful = '0', harmful = '0', content = ''] = found;
  return { kind: 'bullet', id, helpful: Number(helpful), harmful: Number(harmful), content };
}
