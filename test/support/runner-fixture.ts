import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer as createHttpServer } from 'node:http';
import { type Server as SocketServer, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Wire } from '../../src/schema/model-call.ts';
import { dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { environmentDirectory } from '../../src/services/python/python-environments.ts';
import { findBubblewrap } from './bubblewrap-binary.ts';

/** One model call as the runner sent it. */
export interface SentCall {
  readonly path: string;
  readonly call: number;
  readonly token: string;
  readonly body: { readonly messages: readonly Record<string, unknown>[]; readonly tools: readonly unknown[] };
}

/** An HTTP answer, or the connection closed without one. */
export type ModelAnswer = { readonly status: number; readonly body: unknown } | 'hang-up';

export interface RunnerResult {
  readonly exitCode: number;
  readonly printed: string;
  readonly outcome: Record<string, unknown>;
  readonly trajectory: { readonly info: Record<string, unknown>; readonly messages: Record<string, unknown>[] } | null;
}

const tool = (name: string, text: string): unknown => ({
  id: 'c1',
  type: 'function',
  function: { name, arguments: text },
});

/** A reply of the model whose message is as given. */
export function reply(message: Readonly<Record<string, unknown>>, finish = 'tool_calls'): ModelAnswer {
  const body = {
    id: 'r',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  };
  return { status: 200, body };
}

/** A reply that calls a tool with arguments in any form. */
export function callTool(name: string, text: string, content: unknown = 'I act.'): ModelAnswer {
  return reply({ content, tool_calls: [tool(name, text)] });
}

/** A reply that runs one command. */
export function runCommand(command: string, content: unknown = 'I run a command.'): ModelAnswer {
  return callTool('bash', JSON.stringify({ command }), content);
}

export const submit: ModelAnswer = runCommand('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT');

/**
 * The trusted runner as a real process in a jail of mounts alone, with the real packages, between a gateway and an exec
 * service of the test. One fixture is one run.
 */
export class RunnerFixture {
  readonly root = mkdtempSync(join(tmpdir(), 'anneal-runner-'));
  readonly calls: SentCall[] = [];
  readonly commands: { readonly command: string; readonly timeout: number }[] = [];
  /** What the runner's client is told to speak. */
  wire: Wire = 'chat';
  /** Answers of the model in order; the last one repeats. */
  answers: ModelAnswer[] = [submit];
  /** Replies of the exec service. */
  exec: (command: string) => Record<string, unknown> = (command) => observation(`ran: ${command}\n`);
  private gateway: Server | null = null;
  private service: SocketServer | null = null;

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const folder of ['gateway', 'exec', 'out', 'attempt']) mkdirSync(join(this.root, folder));
    chmodSync(this.root, 0o755);
    cpSync(join(packageRoot, 'harnesses', 'h0'), join(this.root, 'harness'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.root, 'harness', name), text);
  }

  /** From now on the gateway answers; before that its socket does not exist. */
  async openGateway(): Promise<void> {
    const server = createHttpServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.calls.push({
          path: request.url ?? '',
          call: Number(request.headers['x-anneal-call']),
          token: String(request.headers.authorization),
          body: JSON.parse(Buffer.concat(chunks).toString()) as SentCall['body'],
        });
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
        if (answer === undefined || answer === 'hang-up') request.socket.destroy();
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      });
    });
    this.gateway = server;
    await new Promise<void>((resolve) => server.listen(join(this.root, 'gateway', 'gateway.sock'), resolve));
  }

  /** Run to the end. `instruction` is the task's text. */
  async run(instruction = 'Write out.txt.', openGateway = true): Promise<RunnerResult> {
    await this.openExec();
    if (openGateway) await this.openGateway();
    const told = { instruction, cwd: '/app', model: 'simulated/test', token: 'token-1', commandTimeoutSeconds: 30 };
    const attempt = { ...told, wire: this.wire };
    writeFileSync(join(this.root, 'attempt', 'attempt.json'), JSON.stringify(attempt));
    const { exitCode, printed } = await this.spawn();
    const read = (name: string): unknown =>
      existsSync(join(this.root, 'out', name)) ? JSON.parse(readFileSync(join(this.root, 'out', name), 'utf8')) : null;
    return {
      exitCode,
      printed,
      outcome: read('outcome.json') as RunnerResult['outcome'],
      trajectory: read('trajectory.json') as RunnerResult['trajectory'],
    };
  }

  async remove(): Promise<void> {
    for (const server of [this.gateway, this.service]) {
      if (server === null) continue;
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(this.root, { recursive: true, force: true });
  }

  private async openExec(): Promise<void> {
    const service = createServer((socket) => {
      let received = Buffer.alloc(0);
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        if (received.length < 4 || received.length < 4 + received.readUInt32BE(0)) return;
        const request = JSON.parse(received.subarray(4).toString()) as { command: string; timeout: number };
        this.commands.push(request);
        const payload = Buffer.from(JSON.stringify(this.exec(request.command)));
        const header = Buffer.alloc(4);
        header.writeUInt32BE(payload.length);
        socket.end(Buffer.concat([header, payload]));
      });
    });
    this.service = service;
    await new Promise<void>((resolve) => service.listen(join(this.root, 'exec', 'exec.sock'), resolve));
  }

  private spawn(): Promise<{ exitCode: number; printed: string }> {
    const runner = environmentDirectory(dataHomeAt(join(packageRoot, '.anneal-test')), 'runner');
    const at = (name: string): string => join(this.root, name);
    const links = ['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]);
    const parameters = [
      ...['--unshare-all', '--die-with-parent', '--ro-bind', '/usr', '/usr', ...links, '--ro-bind', '/etc', '/etc'],
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--ro-bind', runner, '/opt/runner'],
      ...['--ro-bind', join(packageRoot, 'harnesses', 'runner'), '/opt/anneal-runner'],
      ...['--ro-bind', at('harness'), '/opt/harness', '--ro-bind', at('attempt'), '/opt/attempt'],
      ...['--bind', at('out'), '/out', '--bind', at('gateway'), '/run/gateway', '--bind', at('exec'), '/run/exec'],
      ...['--chdir', '/out', '--clearenv', '--setenv', 'HOME', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
      ...['/opt/runner/bin/python', '-I', '/opt/anneal-runner/solve.py'],
      ...['--task', '/opt/attempt', '--harness', '/opt/harness', '--out', '/out'],
    ];
    return new Promise((resolve) => {
      execFile(findBubblewrap(), parameters, { timeout: 60_000 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ exitCode: code, printed: `${stdout}${stderr}` });
      });
    });
  }
}

/** What the exec service answers for a command that ran. */
export function observation(output: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { kind: 'ran', output, outputBytes: output.length, returncode: 0, timedOut: false, durationMs: 1, ...changes };
}
