import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { AnnealError } from '../../domain/errors.ts';

/**
 * Connections of one process share their tries by default, and with them a pause that grows to minutes: a server that came up
 * late would not be asked again for as long.
 */
const channelArgs = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 500,
} as const;

/**
 * Connect to Temporal at `address`; TLS, API key and namespace come from the SDK's own environment configuration.
 * @throws AnnealError ANL-5003 when it does not answer within `waitMs`.
 */
export async function connectTemporal(address: string, waitMs: number): Promise<Client> {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const started = Date.now();
  const deadline = started + waitMs;
  let tries = 0;
  while (true) {
    tries++;
    try {
      const connection = await Connection.connect({
        ...connectionOptions,
        address,
        channelArgs,
        connectTimeout: 2_000,
      });
      return new Client({ connection, namespace: namespace ?? 'default' });
    } catch (error) {
      if (Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      throw new AnnealError(
        'ANL-5003',
        { address },
        {
          why: `${reason}, ${tries === 1 ? '1 try' : `${tries} tries`} in ${Math.round((Date.now() - started) / 1000)} s`,
        },
      );
    }
  }
}
