import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Report } from '../../src/schema/report.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { type ProviderServer, type ServedReply, startProviderServer } from '../support/provider-server.ts';

const key = `sk-${'0123456789abcdef'.repeat(2)}`;
const guide = readFileSync(join(packageRoot, 'docs', 'guide.md'), 'utf8');
/** What a reader exports for a model of theirs: the only `console` block but the first, which `clone.test.ts` runs. */
const exported = [...guide.matchAll(/^```console\n(.*?)^```$/gms)].map(([, script = '']) => script)[1] ?? '';
/** What a reader is told to type, in order. */
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script = '']) => script);

interface Ran {
  readonly script: string;
  readonly exit: number;
  readonly out: string;
}

const anneal = join(packageRoot, 'dist', 'src', 'cli', 'main.js');

let folder: string;
let server: ProviderServer;
const ran: Ran[] = [];

const rule = 'Add up the paid invoices only.';

/** A model that adds up every invoice until it has learnt the rule, and learns it from any attempt. */
function answer(_path: string, body: Record<string, unknown>): ServedReply {
  const text = JSON.stringify(body['messages']);
  const [offered] = (body['tools'] ?? []) as { function: { name: string } }[];
  if (offered !== undefined && offered.function.name !== 'bash') return reply('I call it.', 'x', offered.function.name);
  if (body['tools'] === undefined) {
    const learnt = text.includes('operations')
      ? { reasoning: 'r', operations: [{ type: 'ADD', section: 'STRATEGIES & INSIGHTS', content: rule }] }
      : { reasoning: 'r', key_insight: rule, bullet_tags: [] };
    return reply(JSON.stringify(learnt), null);
  }
  const isFirst = !text.includes('"assistant"');
  const counted = text.includes(rule) ? '$3 == "paid"' : 'NR > 1';
  const sum = `awk -F, '${counted} { sum += $2 } END { printf "%.2f\\n", sum }' invoices.csv`;
  return reply('I do it.', isFirst ? `mkdir -p output && ${sum} > output/total.txt` : submit);
}

const submit = 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
let replies = 0;

function reply(text: string, command: string | null, name = 'bash'): ServedReply {
  const id = `reply-${(replies += 1)}`;
  const toolCalls = command === null ? [] : [{ id, name, arguments: JSON.stringify({ command }) }];
  const finishReason = command === null ? 'stop' : 'tool_calls';
  const usage = { inputTokens: 400, outputTokens: 40, reasoningTokens: 0 };
  return { id, text, thought: null, toolCalls, finishReason, usage };
}

function shell(script: string): Promise<Ran> {
  const { TEMPORAL_ADDRESS: _, ANNEAL_HOME: __, ...environment } = process.env;
  for (const name of Object.keys(environment)) if (name.startsWith('MODEL_')) delete environment[name];
  const env = { ...environment, NO_COLOR: '1' };
  const exports = exported.replace(/https:\S+/, server.baseUrl).replace('…', key);
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-euo', 'pipefail', '-c', `${exports}\n${script}`],
      { cwd: folder, env, maxBuffer: 2 ** 26 },
      (error, out, errors) =>
        resolve({ script, exit: typeof error?.code === 'number' ? error.code : 0, out: `${out}${errors}` }),
    );
  });
}

beforeAll(async () => {
  server = await startProviderServer({ answer, key, strict: true });
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'anneal-guide-')));
  // What a clone holds after npm ci, and the Python environments that the first command would build.
  for (const name of ['harnesses', 'budgets']) symlinkSync(join(packageRoot, name), join(folder, name));
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(join(packageRoot, 'dist', 'src', 'cli', 'main.js'), join(folder, 'node_modules', '.bin', 'anneal'));
  mkdirSync(join(folder, '.anneal'));
  symlinkSync(join(packageRoot, '.anneal-test', 'python'), join(folder, '.anneal', 'python'));
  for (const script of blocks) {
    const done = await shell(script);
    ran.push(done);
    if (done.exit !== 0) break;
  }
}, 300_000);

afterAll(async () => {
  await shell('npx anneal down --now');
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the block printed that holds a command. */
function printedBy(command: string): string {
  return ran.find(({ script }) => script.includes(command))?.out ?? '';
}

/** The standard output alone, without npx, which may speak for itself. */
async function reportJson(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [anneal, 'report', '--json'], { cwd: folder });
  return stdout;
}

describe('the guide', () => {
  test('runs from its first block to its last', () => {
    expect(ran.map(({ exit, out }) => ({ exit, said: exit === 0 ? '' : out }))).toEqual(
      blocks.map(() => ({ exit: 0, said: '' })),
    );
  });

  test('makes tasks that the audit accepts', () => {
    expect(printedBy('tasks audit')).toContain('4 tasks, 12 replays: 12 as declared, 0 not');
  });

  test('ends with a report, in which the learnt revision beats H0', () => {
    const [report] = readdirSync(join(folder, 'my-report')).filter((name) => name.startsWith('summary'));
    expect(readFileSync(join(folder, 'my-report', report ?? ''), 'utf8')).toContain('invoices');
    expect(printedBy('anneal watch')).toMatch(/ace cand-1 +100\.0 \(\+100\.0\) +100\.0 \(\+100\.0\)/);
  });

  test('ends within its cap in money, every planned task scored', async () => {
    const out = await reportJson();
    const { arms, resources } = Report.parse(JSON.parse(out));
    const { caps } = resources;
    const finals = arms.flatMap(({ champions }) => champions.map(({ all }) => all));
    expect(finals.length).toBeGreaterThan(0);
    for (const { scored, planned } of finals) expect(scored).toBe(planned);
    expect(caps.length).toBeGreaterThan(0);
    for (const { used, limit } of caps) expect(used ?? Infinity).toBeLessThanOrEqual(limit);
  });

  test('shows what was learnt, one attempt, and a clean audit', () => {
    const shown = printedBy('anneal diff');
    expect(shown).toContain(`helpful=0 harmful=0 :: ${rule}`);
    expect(shown).toContain('mine/invoices-1');
    expect(shown).not.toMatch(/^FAIL/m);
  });

  test('is billed what the report says, and the three calls before it', async () => {
    const out = await reportJson();
    const { resources } = Report.parse(JSON.parse(out));
    expect(server.flaws).toEqual([]);
    const { inputTokens, outputTokens } = server.billed;
    // The three calls of `doctor --live` are no part of the experiment.
    expect(resources.money.microUsd).toBe(inputTokens - 3 * 400 + 4 * (outputTokens - 3 * 40));
  });

  test('leaves the key in no file', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(key));
    expect(holding.map(({ name }) => name)).toEqual([]);
  });
});
