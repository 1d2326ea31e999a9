import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { plainTarget } from '../call-target.ts';
import { freePort, untilReady } from '../child-process.ts';
import { peersFolder, type Peer } from './peer.ts';

const VERSION = '1.108.7';
const KEY = 'sk-bench';

/** Installs LiteLLM's proxy once and starts it with one worker before the provider at `baseUrl`. */
export async function startLiteLlm(baseUrl: string): Promise<Peer> {
  const folder = join(peersFolder, `litellm-${VERSION}`);
  const program = join(folder, 'bin', 'litellm');
  if (!existsSync(program)) {
    mkdirSync(peersFolder, { recursive: true });
    process.stderr.write(`installing LiteLLM ${VERSION} …\n`);
    await execa('python3', ['-m', 'venv', folder]);
    await execa(join(folder, 'bin', 'pip'), ['install', '-q', `litellm[proxy]==${VERSION}`]);
  }
  const config = join(peersFolder, 'litellm.json');
  const provider = { model: 'openai/instant', api_base: baseUrl, api_key: 'none' };
  writeFileSync(config, JSON.stringify({ model_list: [{ model_name: 'instant', litellm_params: provider }] }));
  const port = await freePort();
  const child = spawn(
    program,
    ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    {
      stdio: 'ignore',
      env: {
        ...process.env,
        LITELLM_MASTER_KEY: KEY,
        LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
        LITELLM_LOG: 'ERROR',
      },
    },
  );
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(child, async () => fetch(`${origin}/health/liveliness`), 120);
  return { target: plainTarget(`LiteLLM ${VERSION}`, `${origin}/v1`, { authorization: `Bearer ${KEY}` }), child };
}
