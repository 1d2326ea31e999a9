import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// Files that workflows load: they run in an isolate without node, and zod would double the bundle.
const files = [...filesBelow('src/domain'), ...filesBelow('src/updaters')];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}

describe('domain and updaters', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(40);
  });

  it.each(files)('%s loads nothing but domain, updaters and pure hashing', (file) => {
    const imports = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)';/gms)];
    const foreign = imports
      .filter(([statement]) => !/^import \{(?:\s*type \w+,?)*\s*\}/.test(statement))
      .map(([, source = '']) => source)
      .filter((source) => !/^\.\.?\/(?!.*schema\/)/.test(source) && !source.startsWith('@noble/hashes/'));
    expect(foreign).toEqual([]);
  });

  it.each(files)('%s asks no clock, no chance and no locale', (file) => {
    const text = readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
    expect(text).not.toMatch(
      /\bDate\b|Math\.random|localeCompare|\bIntl\b|toLocale|\bprocess\b|\bBuffer\b|setTimeout|structuredClone/,
    );
  });
});
