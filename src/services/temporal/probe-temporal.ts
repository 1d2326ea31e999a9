import { AnnealError } from '../../domain/errors.ts';
import { connectTemporal } from './temporal-connection.ts';

/** Whether a Temporal server answers when it is asked. */
export type TemporalFinding = { readonly kind: 'answers' } | { readonly kind: 'fails'; readonly why: string };

/** Connect once, for two seconds at most. */
export async function probeTemporal(address: string): Promise<TemporalFinding> {
  try {
    const client = await connectTemporal(address, 0);
    await client.connection.close();
    return { kind: 'answers' };
  } catch (error) {
    if (!(error instanceof AnnealError)) throw error;
    return { kind: 'fails', why: `${error.message}: ${error.why ?? 'no answer'}` };
  }
}
