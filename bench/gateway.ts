import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayClient } from '../src/adapters/gateway-client.ts';
import type { BenchRow } from './bench-row.ts';
import { callFigures, type CallFigures } from './call-figures.ts';
import { plainTarget } from './call-target.ts';
import { endChild, firstLine, startModule, untilReady } from './child-process.ts';
import { gatewayTarget } from './gateway-target.ts';
import { startLiteLlm } from './peers/litellm.ts';
import { startPortkey } from './peers/portkey.ts';
import { quantile } from './quantile.ts';

/** What each figure must be for our gateway, which keeps a durable ledger; the peers keep none. */
const targets = { p50: 1.5, p99: 10, first: 5, perSecond: 500 };

/**
 * What a gateway adds to a call of 5 KB against the same instant provider called directly, alternating in the same run;
 * how much later the first streamed byte comes; calls per second over eight connections. With `peers` Portkey and LiteLLM
 * are installed (about a minute and 400 MB, kept in the bench's folder) and measured in the same alternation.
 */
export async function benchGateway(peers: boolean, calls = 800): Promise<readonly BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gwb-'));
  const control = join(directory, 'c', 'g.sock');
  const files = ['--ledger', join(directory, 'ledger.db'), '--sockets', join(directory, 's'), '--control', control];
  const children = [startModule('./instant-provider'), startModule('../src/gateway/main', files)] as const;
  const [provider, gateway] = children;
  const client = new GatewayClient(control);
  const started = [];
  try {
    const baseUrl = await firstLine(provider);
    await untilReady(gateway, async () => client.health({}), 20);
    if (peers) for (const start of [startPortkey, startLiteLlm]) started.push(await start(baseUrl));
    const figures = await callFigures(
      [plainTarget('direct', baseUrl), await gatewayTarget(client, baseUrl), ...started.map(({ target }) => target)],
      calls,
    );
    const [direct, ...gateways] = figures;
    if (direct === undefined) return [];
    return [...rowsOfDirect(direct), ...gateways.flatMap((figure) => rowsOfGateway(figure, direct))];
  } finally {
    await client.disconnect();
    for (const child of [...started.map((peer) => peer.child), gateway, provider]) await endChild(child);
    rmSync(directory, { recursive: true, force: true });
  }
}

function rowsOfDirect(direct: CallFigures): BenchRow[] {
  return [
    row('provider called directly: p50', quantile(direct.whole, 0.5), 'ms', null),
    { ...row('provider called directly: 8 connections', direct.perSecond, '1/s', null), better: 'higher' },
  ];
}

function rowsOfGateway(figure: CallFigures, direct: CallFigures): BenchRow[] {
  const ours = figure.name === 'anneal';
  const name = ours ? 'gateway' : figure.name;
  const added = (values: 'whole' | 'first', share: number): number =>
    quantile(figure[values], share) - quantile(direct[values], share);
  const rows = [
    row(`${name}: added to a call, p50`, added('whole', 0.5), 'ms', targets.p50),
    row(`${name}: added to a call, p99`, added('whole', 0.99), 'ms', targets.p99),
    row(`${name}: first streamed byte later, p50`, added('first', 0.5), 'ms', targets.first),
    { ...row(`${name}: 8 connections`, figure.perSecond, '1/s', targets.perSecond), better: 'higher' as const },
  ];
  return ours ? rows : rows.map((peer) => ({ ...peer, name: `  ${peer.name}`, target: null }));
}

function row(name: string, value: number, unit: string, target: number | null): BenchRow {
  return { name, value, unit, target, better: 'lower' };
}
