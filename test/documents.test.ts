import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
const documents = ['.', 'docs', 'docs/adr', 'judges', 'tasks/office-mini'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
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
});

describe.each(documents)('%s', (document) => {
  const text = readFileSync(document, 'utf8');

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^https?:/.test(link));
    expect(local.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([]);
  });

  it('names scripts that exist', () => {
    const told = [...text.matchAll(/npm run (\w+)/g)].map(([, script = '']) => script);
    expect(told.filter((script) => !scripts.includes(script))).toEqual([]);
  });
});

// Decision records and the changelog tell of a time, the others of what is there.
it.each(documents.filter((document) => !/adr|CHANGELOG/.test(document)))('%s names files that exist', (document) => {
  const text = readFileSync(document, 'utf8');
  const paths = [...text.matchAll(/(?<![\w./-])(?:src|test|docs|experiments|budgets|splits|scripts)\/[\w./-]*\w/g)];
  expect(paths.map(([path]) => path).filter((path) => !existsSync(path))).toEqual([]);
});
