import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { SandboxProbe } from '../../schema/sandbox-done.ts';
import { type KeeperProgram, keeperCommand } from './keeper-program.ts';

const limitMs = 30_000;

/** Run the keeper's probe mode with `specification` on its standard input. A keeper that cannot run is an answer too. */
export async function probeSandbox(program: KeeperProgram, specification: unknown): Promise<SandboxProbe> {
  const [command, parameters] = keeperCommand(program, 'probe');
  const child = spawn(command, parameters, {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: limitMs,
    ...program.account,
  });
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(specification));
  const ended = Promise.all([text(child.stdout), text(child.stderr)]);
  const outcome = await Promise.race([ended, failed]);
  if (outcome instanceof Error) return pythonMissing(outcome.message);
  const [output, complaint] = outcome;
  return output === ''
    ? pythonMissing(complaint.trim().split('\n').at(-1) ?? '')
    : SandboxProbe.parse(JSON.parse(output));
}

function pythonMissing(reason: string): SandboxProbe {
  return {
    kind: 'impossible',
    cause: 'python_missing',
    reason: reason || 'the keeper ended without an answer',
    remedy: 'install Python 3.11 or newer: apt-get install python3 python3-venv',
  };
}
