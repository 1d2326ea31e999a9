import type { Context } from 'hono';
import type { Delta } from '../contract/provider-port.ts';
import { unavailable } from './request-attempt.ts';
import type { CallOutcome, PendingCall } from './call-outcome.ts';
import { frontStatus } from './front-status.ts';
import type { EventWriter, FrontWire, ReplyIdentity } from './front-wire.ts';
import { responseDeltas } from './response-deltas.ts';

interface StreamedRequest {
  readonly pending: PendingCall;
  readonly includeUsage: boolean;
}

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

/**
 * Answers as a stream of events. The status is only sent with the first piece, so that a call that fails before it is an
 * ordinary refusal. The closing events follow after the call is settled.
 */
export async function replyEvents(
  context: Context,
  wire: FrontWire,
  identity: ReplyIdentity,
  request: StreamedRequest,
): Promise<Response> {
  const { outcome, deltas } = request.pending;
  const events = wire.openEvents(identity, request.includeUsage);
  const source = deltas?.[Symbol.asyncIterator]() ?? null;
  const first = source === null ? null : await source.next();
  if (source === null || first === null || first.done === true) return whole(context, wire, events, await outcome);
  const encoder = new TextEncoder();
  let next: IteratorResult<Delta> = first;
  let ended = false;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (ended) return;
      if (next.done !== true) {
        controller.enqueue(encoder.encode(events.delta(next.value)));
        next = await source.next();
        return;
      }
      ended = true;
      controller.enqueue(encoder.encode(closing(events, await outcome)));
      controller.close();
    },
  });
  return new Response(body, { headers: EVENT_STREAM });
}

/** Nothing was streamed while waiting: the whole reply at once, from its record or as it came. */
function whole(context: Context, wire: FrontWire, events: EventWriter, outcome: CallOutcome): Response {
  if (outcome.kind === 'refused') return context.json(wire.renderRefusal(outcome) as object, frontStatus(outcome));
  const pieces = responseDeltas(outcome.response).map(events.delta).join('');
  return new Response(`${pieces}${events.finish(outcome.response)}`, { headers: EVENT_STREAM });
}

function closing(events: EventWriter, outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return events.finish(outcome.response);
    case 'refused':
      return events.broken(outcome.type === 'provider_unavailable' ? outcome : unavailable(outcome.code));
  }
}
