import type { z } from 'zod';
import type { GatewayPort } from '../src/contract/gateway-port.ts';

/** The recorded result of an effect that was done, null when it was not. */
export async function findEffect<Schema extends z.ZodType>(
  gateway: GatewayPort,
  key: string,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  const found = await gateway.getEffect({ key });
  return found.kind === 'absent' ? null : schema.parse(found.effect.result);
}

/** Record an effect's result. The first one stands and is returned. */
export async function storeEffect<Schema extends z.ZodType>(
  gateway: GatewayPort,
  key: string,
  schema: Schema,
  result: z.infer<Schema>,
): Promise<z.infer<Schema>> {
  const stored = await gateway.putEffect({ key, kind: key.split(':')[0] ?? key, result });
  return schema.parse(stored.result);
}
