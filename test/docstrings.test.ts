import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const files = ['src', 'activities', 'workflows', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

const exported = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/;
/** Words that add nothing to a name. */
const empty = new Set('a an and the of for in to its this that is with type interface function class const'.split(' '));

/** What is wrong with the docstrings of a file's exports; a type that a schema of its name stands for needs none of its own. */
function faultsOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const name = exported.exec(line)?.[1];
    if (name === undefined) return [];
    if (line.startsWith('export type ') && text.includes(`\nexport const ${name} `)) return [];
    const words = docstringAbove(lines, index)
      ?.toLowerCase()
      .match(/[a-z0-9]+/g);
    if (words === undefined || words === null) return [`${name} has no docstring`];
    const own = name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[ _]/);
    return words.every((word) => own.includes(word) || empty.has(word))
      ? [`${name}: the docstring repeats the name`]
      : [];
  });
}

function docstringAbove(lines: readonly string[], index: number): string | undefined {
  if (!lines[index - 1]?.endsWith('*/')) return undefined;
  const start = lines.findLastIndex((line, at) => at < index && line.startsWith('/*'));
  return lines[start]?.startsWith('/**') ? lines.slice(start, index).join('\n') : undefined;
}

describe('a docstring', () => {
  it.each([
    ['is missing', 'export const lanes = 6;', ['lanes has no docstring']],
    ['is a plain comment', '/* Attempts at a time. */\nexport const lanes = 6;', ['lanes has no docstring']],
    ['stands above another line', '/** Attempts at a time. */\n\nexport const lanes = 6;', ['lanes has no docstring']],
    ['is empty', '/** */\nexport interface LaneCount {}', ['LaneCount has no docstring']],
    [
      'repeats the name',
      '/** Interface for the lane count. */\nexport interface LaneCount {}',
      ['LaneCount: the docstring repeats the name'],
    ],
    ['says more than the name', '/** Attempts at a time. */\nexport interface LaneCount {}', []],
    ['takes several lines', '/**\n * Attempts\n * at a time.\n */\nexport async function lanes() {}', []],
    [
      'stands on the schema alone',
      '\n/** From 1 to 512. */\nexport const Lanes = z.number();\nexport type Lanes = number;',
      [],
    ],
    ['is asked of exports alone', 'const lanes = 6;', []],
  ])('that %s is judged as such', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});

describe('the sources', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(400);
  });

  it('say of every export more than its name', () => {
    const faults = files.flatMap((file) => faultsOf(readFileSync(file, 'utf8')).map((fault) => `${file}: ${fault}`));
    expect(faults).toEqual([]);
  });
});
