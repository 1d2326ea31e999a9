import { readFileSync } from 'node:fs';
import { BubblewrapSandbox, type BubblewrapOptions } from '../../src/adapters/bubblewrap.ts';
import type { AttemptSandboxInput } from '../../src/schema/sandbox.ts';

/** A worker that starts one attempt, says so, and waits to be killed: `attempt-starter.ts FILE` with its input as JSON. */
const { options, directory, sandbox } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  options: BubblewrapOptions;
  directory: string;
  sandbox: AttemptSandboxInput;
};
const started = await new BubblewrapSandbox(options).start(directory, sandbox);
process.stdout.write(`${started.kind}\n`);
setInterval(() => {}, 1_000);
