import { Hono } from 'hono';
import { z } from 'zod';
import { AnnealError } from '../domain/errors.ts';
import { storageError } from '../domain/storage-error.ts';
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
  app.onError((thrown, context) => {
    const error = thrown instanceof AnnealError ? thrown : storageError(thrown);
    if (!(thrown instanceof AnnealError))
      log.error({ path: context.req.path, error: String(thrown) }, 'control-failed');
    return error === null
      ? context.json(errorBody(new AnnealError('ANL-6009', { state: String(thrown) })), 500)
      : context.json(errorBody(error), 409);
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
