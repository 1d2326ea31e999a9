import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInTerminal } from '../support/run-in-terminal.ts';
import { screenSvg } from './screen-svg.ts';
import { terminalScreen } from './terminal-screen.ts';

const size = { columns: 92, rows: 60 };

/** Run the demo in a terminal of a data home of its own and draw what stands there in the end: `npm run picture`. */
async function record(): Promise<void> {
  const root = join(import.meta.dirname, '..', '..');
  const home = mkdtempSync(join(tmpdir(), 'anneal-picture-'));
  for (const built of [join(root, '.anneal', 'python'), join(root, '.anneal-test', 'python')]
    .filter(existsSync)
    .slice(0, 1)) {
    mkdirSync(home, { recursive: true });
    symlinkSync(built, join(home, 'python'));
  }
  const command = `node ${join(root, 'dist', 'src', 'cli', 'main.js')}`;
  const surroundings = `cd ${home}; export ANNEAL_HOME=${home} TERM=xterm-256color; unset NO_COLOR`;
  const { exit, printed } = await runInTerminal(
    `${surroundings}; printf '$ npx anneal demo\\n'; ${command} demo; code=$?; ${command} down > ${home}/down.log 2>&1; exit $code`,
    [],
    { ...size, seconds: 600 },
  );
  rmSync(home, { recursive: true, force: true });
  if (exit !== 0) throw new Error(`the demo ended with exit code ${exit}:\n${printed}`);
  const lines = terminalScreen(printed, size.columns);
  while (lines.at(-1)?.length === 0) lines.pop();
  const file = join(root, 'docs', 'demo.svg');
  writeFileSync(file, screenSvg(lines, size.columns, 'anneal demo in a terminal, from its first line to its report'));
  process.stdout.write(`wrote ${file}\n`);
}

await record();
