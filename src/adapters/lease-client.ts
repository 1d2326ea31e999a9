import { join } from 'node:path';
import { Client } from 'undici';
import { z } from 'zod';
import { AnnealError } from '../domain/errors.ts';
import { FrontErrorType } from '../schema/call-row.ts';
import type { Lease } from '../schema/lease.ts';
import type { Message, ModelRequest, ModelResponse, ToolDefinition } from '../schema/model-call.ts';
import { ChatReply, responseOf } from './providers/chat-reply.ts';
import { chatMessage, chatTool } from './providers/chat-request.ts';

/** What a client may ask for; model, sampling and seed are pinned behind the gateway. */
export interface LeaseCall {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  readonly responseFormat?: ModelRequest['responseFormat'];
}

/** `refused` is final unless its type is `provider_unavailable`: then the same number may be asked again. */
export type LeaseReply =
  | { readonly kind: 'answered'; readonly response: ModelResponse }
  | { readonly kind: 'refused'; readonly type: FrontErrorType; readonly code: string; readonly message: string };

const Refusal = z.object({ error: z.object({ type: FrontErrorType, code: z.string(), message: z.string() }) });

/**
 * One metered call through a lease's own socket, as a jailed client makes it; for the engine's updater calls. Asking again
 * with the same number and messages gives the recorded answer. Unreachable: ANL-5001.
 */
export async function callThroughLease(
  lease: Lease,
  call: number,
  request: LeaseCall,
  signal?: AbortSignal,
): Promise<LeaseReply> {
  const socketPath = join(lease.socketDirectory, 'gateway.sock');
  const client = new Client('http://lease', { socketPath, headersTimeout: 0, bodyTimeout: 0 });
  try {
    const reply = await client.request({
      path: '/v1/chat/completions',
      method: 'POST',
      headers: {
        authorization: `Bearer ${lease.token}`,
        'content-type': 'application/json',
        'x-anneal-call': String(call),
      },
      body: JSON.stringify({
        messages: request.messages.map(chatMessage),
        ...(request.tools === undefined ? {} : { tools: request.tools.map(chatTool) }),
        ...(request.responseFormat === 'json' ? { response_format: { type: 'json_object' } } : {}),
      }),
      signal: signal ?? null,
    });
    const body = await reply.body.json();
    if (reply.statusCode !== 200) return { kind: 'refused', ...Refusal.parse(body).error };
    return { kind: 'answered', response: responseOf(ChatReply.parse(body), '') };
  } catch (cause) {
    signal?.throwIfAborted();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AnnealError('ANL-5001', { address: socketPath }, { why, cause });
  } finally {
    await client.destroy();
  }
}
