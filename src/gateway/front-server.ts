import { getRequestListener } from '@hono/node-server';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Hono } from 'hono';
import type { FrontBindings } from './front-app.ts';
import type { GatewayPolicy } from './gateway-policy.ts';
import type { LeaseSession } from './lease-session.ts';

/**
 * The HTTP server of one lease, with limits against clients that mean harm: few connections, small headers, time-outs on
 * receiving. Content-Length beside chunked encoding is refused by the parser.
 */
export function createFrontServer(
  app: Hono<{ Bindings: FrontBindings }>,
  session: LeaseSession,
  policy: GatewayPolicy,
): Server {
  const listener = getRequestListener((request, bindings) =>
    app.fetch(request, { ...(bindings as FrontBindings), session }),
  );
  const server = createServer(
    {
      headersTimeout: policy.headersTimeoutMs,
      requestTimeout: policy.requestTimeoutMs,
      connectionsCheckingInterval: Math.max(100, Math.min(5000, policy.headersTimeoutMs / 2)),
      keepAliveTimeout: 600_000,
      maxHeaderSize: 16_384,
      insecureHTTPParser: false,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.maxConnections = policy.maxConnections;
  server.maxHeadersCount = 64;
  return server;
}
