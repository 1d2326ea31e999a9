import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const guide = readFileSync('AGENTS.md', 'utf8');
const scripts = Object.keys((JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts);
/** First cells of the table below a heading. */
const rowsOf = (heading: string): string[] => {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell);
};
const named = rowsOf('Layout').flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path));
const commands = rowsOf('Commands').join('\n');
const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:\.|dist$|node_modules$)/.test(entry.name))
    .map((entry) => (folder === '.' ? entry.name : `${folder}/${entry.name}`));

describe('AGENTS.md', () => {
  it.each([...foldersIn('.'), ...foldersIn('src')])('says what %s holds', (folder) => {
    expect(named.some((path) => path === folder || path.startsWith(`${folder}/`))).toBe(true);
  });

  it.each(named)('names %s, which exists', (path) => {
    expect(existsSync(path)).toBe(true);
  });

  it.each(scripts.filter((script) => script !== 'prepare'))('says what npm run %s does', (script) => {
    expect(commands).toMatch(new RegExp(`\`npm (?:run )?${script}\``));
  });

  it.each([...guide.matchAll(/`npm run (\w+)/g)].map(([, script]) => script))(
    'names npm run %s, which exists',
    (script) => {
      expect(scripts).toContain(script);
    },
  );
});
