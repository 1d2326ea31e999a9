import type { Action } from './key-oracle.ts';

/**
 * A Python script that carries out actions in its working directory and needs nothing else: `library` is the text of
 * `officebench_oracle.py`, of which the functions that the actions use are taken over.
 */
export function solutionScript(library: string, actions: readonly Action[], purpose: string): string {
  const functions = library
    .split(/\n\n\n(?=def )/)
    .slice(1)
    .map((text) => ({ name: /^def (\w+)/.exec(text)?.[1] ?? '', text: text.trimEnd() }));
  const used = new Set(['carry_out', ...actions.map((action) => `do_${action.do}`)]);
  const unknown = [...used].filter((name) => !functions.some((one) => one.name === name));
  if (unknown.length > 0) throw new Error(`the script library lacks ${unknown.join(', ')}`);
  const steps = actions.map((action) => `    ${pythonLiteral(action)},\n`).join('');
  return [
    `"""${purpose}"""\n\nimport os`,
    ...functions.filter(({ name }) => used.has(name)).map(({ text }) => text),
    `carry_out([\n${steps}])\n`,
  ].join('\n\n\n');
}

/** A JSON value as Python source. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  const entries = Object.entries(value).map(([key, one]) => `${pythonString(key)}: ${pythonLiteral(one)}`);
  return `{${entries.join(', ')}}`;
}

/** JSON escapes mean the same in Python. */
function pythonString(text: string): string {
  return JSON.stringify(text);
}
