import type { IncomingMessage } from 'node:http';

/** The whole body as text, or why there is none. Reading stops at the limit, and the connection has then to be closed. */
export function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<{ kind: 'read'; text: string } | { kind: 'too-large' | 'cut' }> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve({ kind: 'too-large' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        incoming.pause();
        resolve({ kind: 'too-large' });
        return;
      }
      chunks.push(chunk);
    });
    incoming.on('end', () => resolve({ kind: 'read', text: Buffer.concat(chunks).toString('utf8') }));
    incoming.on('error', () => resolve({ kind: 'cut' }));
    incoming.on('close', () => resolve({ kind: 'cut' }));
  });
}
