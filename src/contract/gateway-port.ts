import type { ControlOperation, ControlReply, ControlRequest } from '../schema/gateway.ts';

/**
 * The worker's and the CLI's view of the gateway: one method per operation of the control socket. All are idempotent and
 * may be retried. Unreachable: ANL-5001, retryable; a newer supervisor exists: ANL-6006.
 */
export type GatewayPort = {
  readonly [Name in ControlOperation]: (request: ControlRequest<Name>) => Promise<ControlReply<Name>>;
} & {
  /** Closes the connections; nothing at the gateway. */
  readonly disconnect: () => Promise<void>;
};
