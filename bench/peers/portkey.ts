import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { plainTarget } from '../call-target.ts';
import { freePort, untilReady } from '../child-process.ts';
import { peersFolder, type Peer } from './peer.ts';

const VERSION = '1.15.2';

/** Installs Portkey's gateway once and starts it before the provider at `baseUrl`. */
export async function startPortkey(baseUrl: string): Promise<Peer> {
  const folder = join(peersFolder, `portkey-${VERSION}`);
  const server = join(folder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');
  if (!existsSync(server)) {
    mkdirSync(folder, { recursive: true });
    process.stderr.write(`installing Portkey ${VERSION} …\n`);
    await execa('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, `@portkey-ai/gateway@${VERSION}`]);
  }
  const port = await freePort();
  const child = spawn(process.execPath, [server, '--headless', `--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(child, async () => fetch(origin), 30);
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': baseUrl, authorization: 'Bearer none' };
  return { target: plainTarget(`Portkey ${VERSION}`, `${origin}/v1`, headers), child };
}
