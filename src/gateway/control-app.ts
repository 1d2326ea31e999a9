import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { AnnealError, isAnnealError } from '../domain/errors.ts';
import { controlOperations } from '../schema/gateway.ts';
import type { ControlOperation } from '../schema/gateway.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { GatewayLog } from './gateway-dependencies.ts';

/** `POST /v1/<operation>` with a JSON body. Errors: 409 with the error's document, 400 for a body of another shape. */
export function createControlApp(handlers: ControlHandlers, log: GatewayLog): Hono {
  const app = new Hono();
  app.post('/v1/:operation', async (context) => {
    const operation = context.req.param('operation');
    if (!isOperation(operation)) return context.json(errorBody(unknownOperation(operation)), 404);
    const body = controlOperations[operation].request.safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) return context.json(errorBody(badRequest(operation, body.error)), 400);
    const handle = handlers[operation] as (request: unknown) => unknown;
    return context.json((await handle(body.data)) as object);
  });
  app.onError((error, context) => {
    const known = isAnnealError(error);
    if (!known) log.error({ path: context.req.path, error: String(error) }, 'control-failed');
    const status: ContentfulStatusCode = known ? 409 : 500;
    return context.json(errorBody(known ? error : new AnnealError('ANL-6009', { state: String(error) })), status);
  });
  return app;
}

function isOperation(name: string): name is ControlOperation {
  return Object.hasOwn(controlOperations, name);
}

function errorBody(error: AnnealError): { error: ReturnType<AnnealError['toJSON']> } {
  return { error: error.toJSON() };
}

function unknownOperation(operation: string): AnnealError {
  return new AnnealError('ANL-6009', { state: `control operation ${operation}` });
}

function badRequest(operation: string, error: z.ZodError): AnnealError {
  return new AnnealError('ANL-6009', { state: `body of ${operation}` }, { why: z.prettifyError(error) });
}
