import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const USAGE = { prompt_tokens: 1200, completion_tokens: 40, total_tokens: 1240 };
const MESSAGE = { role: 'assistant', content: 'The totals agree with the ledger of March. '.repeat(4) };
const FRAME = { id: 'chatcmpl-1', created: 1, model: 'instant' };
const REPLY = JSON.stringify({
  ...FRAME,
  object: 'chat.completion',
  choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop' }],
  usage: USAGE,
});

/** A provider that answers at once; prints its base URL as its first line. Started as a child process. */
const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    if (Buffer.concat(chunks).includes('"stream":true')) stream(outgoing);
    else outgoing.writeHead(200, { 'content-type': 'application/json' }).end(REPLY);
  });
});

function stream(outgoing: ServerResponse): void {
  const send = (fields: object): void => {
    outgoing.write(`data: ${JSON.stringify({ ...FRAME, object: 'chat.completion.chunk', ...fields })}\n\n`);
  };
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ choices: [{ index: 0, delta: { role: 'assistant', content: 'The ' }, finish_reason: null }] });
  setTimeout(() => {
    send({ choices: [{ index: 0, delta: { content: 'totals agree.' }, finish_reason: 'stop' }] });
    send({ choices: [], usage: USAGE });
    outgoing.end('data: [DONE]\n\n');
  }, 20);
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);
});
