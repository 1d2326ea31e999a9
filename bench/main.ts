import Table from 'cli-table3';
import type { BenchRow } from './bench-row.ts';
import { benchGateway } from './gateway.ts';
import { benchGrowth } from './growth.ts';
import { benchLedger } from './ledger.ts';
import { benchLanes } from './lanes.ts';
import { benchOverhead } from './overhead.ts';
import { profileWorker } from './profile-worker.ts';
import { withStubServices } from './stub-services.ts';

/**
 * `npm run bench [-- --json] [--peers]`: every figure beside its target, each measured against its alternative in the same
 * run. `-- --growth [N]`: one pass of N attempts (10,000) instead, its end beside its beginning.
 */
async function bench(): Promise<void> {
  const rows: BenchRow[] = [];
  for (const [name, run] of process.argv.includes('--growth') ? growth : costs) {
    process.stderr.write(`measuring ${name} …\n`);
    rows.push(...(await run()));
  }
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  const table = new Table({
    head: ['figure', 'measured', 'target', ''],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([row.name, shown(row.value, row.unit), target(row), verdict(row)]);
  process.stdout.write(`${table.toString()}\n`);
}

const costs = [
  ['engine overhead and lanes', stubRows],
  ['gateway', () => benchGateway(process.argv.includes('--peers'))],
  ['ledger', () => benchLedger()],
] as const;
const growth = [['growth', growthRows]] as const;

/** `npm run bench -- --profile`: where the worker's CPU time per attempt goes. */
async function profile(): Promise<void> {
  const times = await profileWorker();
  const table = new Table({ head: ['worker code', 'ms per attempt'], style: { head: [], border: [], compact: true } });
  for (const { owner, ms } of times.slice(0, 25)) table.push([owner, ms.toFixed(2)]);
  table.push(['all', times.reduce((sum, { ms }) => sum + ms, 0).toFixed(2)]);
  process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(times)}\n` : `${table.toString()}\n`);
}

async function growthRows(): Promise<readonly BenchRow[]> {
  const attempts = Number(process.argv[process.argv.indexOf('--growth') + 1]);
  return withStubServices((home) => benchGrowth(home, Number.isInteger(attempts) ? attempts : undefined));
}

async function stubRows(): Promise<readonly BenchRow[]> {
  return withStubServices(async (home) => [...(await benchOverhead(home)), ...(await benchLanes(home))]);
}

function shown(value: number, unit: string): string {
  if (Number.isNaN(value)) return 'not measurable';
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ${unit}`;
}

function target(row: BenchRow): string {
  if (row.target === null) return '';
  return `${row.better === 'lower' ? '≤' : '≥'} ${row.target} ${row.unit}`;
}

function verdict({ value, target: wanted, better }: BenchRow): string {
  if (wanted === null) return '';
  if (Number.isNaN(value)) return 'missed';
  return (better === 'lower' ? value <= wanted : value >= wanted) ? 'met' : 'missed';
}

await (process.argv.includes('--profile') ? profile() : bench());
process.exit(0);
