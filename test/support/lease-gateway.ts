import { chmod, mkdir } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { join } from 'node:path';

/** The part of a gateway that a keeper asks: `GET /v1/lease` on a lease's socket. Can go away and come back. */
export class LeaseGateway {
  readonly socketDirectory: string;
  readonly token = 'token-of-the-lease';
  /** What it answers; null accepts the question and stays silent, a number above 99 is a bare status. */
  answer: { readonly waitedMs: number } | { readonly status: number } | null = { waitedMs: 0 };
  questions = 0;
  /** Requests other than the keeper's that were answered. */
  visits = 0;
  #server: Server | null = null;

  constructor(socketDirectory: string) {
    this.socketDirectory = socketDirectory;
  }

  async listen(): Promise<void> {
    await mkdir(this.socketDirectory, { recursive: true });
    const server = createServer((request, response) => {
      if (request.url === '/v1/lease') this.questions += 1;
      else response.once('finish', () => (this.visits += 1));
      if (request.headers.authorization !== `Bearer ${this.token}`) response.writeHead(401).end();
      else if (this.answer === null) return;
      else if ('status' in this.answer) response.writeHead(this.answer.status).end('{}');
      else response.setHeader('content-type', 'application/json').end(JSON.stringify({ calls: 1, ...this.answer }));
    });
    this.#server = server;
    const path = join(this.socketDirectory, 'gateway.sock');
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await chmod(path, 0o666);
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
