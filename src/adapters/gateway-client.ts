import { Pool } from 'undici';
import { z } from 'zod';
import type { GatewayPort } from '../contract/gateway-port.ts';
import { AnnealError, errors } from '../domain/errors.ts';
import type { ErrorCode, ErrorDocument } from '../domain/errors.ts';
import { controlOperations } from '../schema/gateway.ts';
import type { ControlOperation, ControlReply, ControlRequest } from '../schema/gateway.ts';

const ErrorReply = z.object({
  error: z.looseObject({
    code: z.custom<ErrorCode>((code) => typeof code === 'string' && Object.hasOwn(errors, code)),
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    why: z.string().nullable(),
    next: z.string(),
    notSpent: z.string().nullable(),
  }),
});

/** Client of the gateway's control socket. Errors of the gateway arrive as the `AnnealError` they were thrown as. */
export class GatewayClient implements GatewayPort {
  readonly #socket: string;
  readonly #pool: Pool;

  constructor(controlSocket: string) {
    this.#socket = controlSocket;
    this.#pool = new Pool('http://gateway', {
      socketPath: controlSocket,
      connections: 16,
      connectTimeout: 2000,
      headersTimeout: 120_000,
    });
  }

  readonly registerExperiment = this.#operation('registerExperiment');
  readonly openLease = this.#operation('openLease');
  readonly setSocketOwner = this.#operation('setSocketOwner');
  readonly reportElapsed = this.#operation('reportElapsed');
  readonly closeLease = this.#operation('closeLease');
  readonly leaseUsage = this.#operation('leaseUsage');
  readonly openLeases = this.#operation('openLeases');
  readonly getEffect = this.#operation('getEffect');
  readonly getEffects = this.#operation('getEffects');
  readonly putEffect = this.#operation('putEffect');
  readonly reserveQuery = this.#operation('reserveQuery');
  readonly discloseQuery = this.#operation('discloseQuery');
  readonly releaseQuery = this.#operation('releaseQuery');
  readonly appendRecord = this.#operation('appendRecord');
  readonly listRecords = this.#operation('listRecords');
  readonly usage = this.#operation('usage');
  readonly holdShare = this.#operation('holdShare');
  readonly halts = this.#operation('halts');
  readonly grant = this.#operation('grant');
  readonly listCalls = this.#operation('listCalls');
  readonly auditLedger = this.#operation('auditLedger');
  readonly health = this.#operation('health');

  readonly disconnect = async (): Promise<void> => {
    await this.#pool.destroy();
  };

  #operation<Name extends ControlOperation>(
    name: Name,
  ): (request: ControlRequest<Name>) => Promise<ControlReply<Name>> {
    return async (request) => {
      const { status, body } = await this.#post(name, request);
      if (status === 200) return controlOperations[name].reply.parse(body) as ControlReply<Name>;
      throw errorFrom(body, status);
    };
  }

  async #post(name: string, request: unknown): Promise<{ status: number; body: unknown }> {
    try {
      const reply = await this.#pool.request({
        path: `/v1/${name}`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      return { status: reply.statusCode, body: await reply.body.json() };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AnnealError('ANL-5001', { address: this.#socket }, { why, cause });
    }
  }
}

function errorFrom(body: unknown, status: number): AnnealError {
  const parsed = ErrorReply.safeParse(body);
  if (!parsed.success) return new AnnealError('ANL-6009', { state: `a gateway reply of status ${status}` });
  const { code, fields, why, next, notSpent } = parsed.data.error;
  const details: Partial<Pick<ErrorDocument, 'next'>> & { why?: string; notSpent?: string } = { next };
  if (why !== null) details.why = why;
  if (notSpent !== null) details.notSpent = notSpent;
  return new AnnealError(code, fields as never, details);
}
