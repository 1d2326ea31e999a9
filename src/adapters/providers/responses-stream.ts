import { z } from 'zod';
import type { Delta } from '../../contract/provider-port.ts';
import type { ModelResponse } from '../../schema/model-call.ts';
import {
  ResponsesItem,
  ResponsesReply,
  reasoningOf,
  responseOfResponses,
  writtenArguments,
} from './responses-reply.ts';
import { ToldFailure } from './wire-codec.ts';
import type { ReplyStream } from './wire-codec.ts';

const Text = z.string().nullish();

const ResponsesEvent = z.looseObject({
  type: z.string(),
  output_index: z.number().int().nonnegative().nullish(),
  item: ResponsesItem.nullish(),
  delta: z.unknown().optional(),
  response: z.unknown().optional(),
  code: Text,
  message: Text,
});
type ResponsesEvent = z.infer<typeof ResponsesEvent>;

interface OpenCall {
  readonly index: number;
  written: string;
}

/** Puts the events of one streamed reply of `POST /responses` together; the closing event carries the whole response. */
export function createResponsesStream(askedModel: string): ReplyStream {
  const calls = new Map<number, OpenCall>();
  const items: ResponsesItem[] = [];
  let spoken = '';
  let closing: ResponsesReply | null = null;

  const openCall = (at: number, item: ResponsesItem): Delta[] => {
    if (item.type !== 'function_call' || calls.has(at)) return [];
    const call: OpenCall = { index: calls.size, written: writtenArguments(item) };
    calls.set(at, call);
    const id = item.call_id ?? item.id ?? `call_${call.index}`;
    return [{ kind: 'tool-call', index: call.index, id, name: item.name ?? '', arguments: call.written }];
  };

  /** Whatever of a finished item no piece has told. */
  const closeItem = (at: number, item: ResponsesItem): Delta[] => {
    items.push(item);
    const opened = openCall(at, item);
    const call = calls.get(at);
    if (call === undefined || opened.length > 0)
      return [...opened, ...reasoningOf(item).map((reasoning): Delta => ({ kind: 'reasoning', reasoning }))];
    const whole = writtenArguments(item);
    const rest = whole.startsWith(call.written) ? whole.slice(call.written.length) : '';
    call.written += rest;
    return rest === '' ? [] : [{ kind: 'tool-call', index: call.index, arguments: rest }];
  };

  const growCall = (at: number, delta: string): Delta[] => {
    const call = calls.get(at);
    if (call === undefined) return [];
    call.written += delta;
    return [{ kind: 'tool-call', index: call.index, arguments: delta }];
  };

  return {
    add: (value) => {
      const event = ResponsesEvent.parse(value);
      const at = event.output_index ?? 0;
      const delta = typeof event.delta === 'string' ? event.delta : '';
      switch (event.type) {
        case 'response.output_item.added':
          return event.item ? openCall(at, event.item) : [];
        case 'response.output_text.delta':
          spoken += delta;
          return delta === '' ? [] : [{ kind: 'text', text: delta }];
        case 'response.function_call_arguments.delta':
          return growCall(at, delta);
        case 'response.output_item.done':
          return event.item ? closeItem(at, event.item) : [];
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          closing = ResponsesReply.parse(event.response);
          if (closing.status === 'failed' || event.type === 'response.failed')
            throw new ToldFailure(closing.error?.code ?? '', closing.error?.message ?? 'the response failed');
          return [];
        case 'error':
          throw new ToldFailure(event.code ?? '', event.message ?? 'an error event');
        default:
          return [];
      }
    },
    response: (): ModelResponse | null => {
      if (closing === null) return null;
      // Some servers leave the output out of the closing event: what was told before it stands.
      const told = items.length > 0 ? items : spoken === '' ? [] : [{ type: 'message', content: spoken }];
      return responseOfResponses(closing.output.length > 0 ? closing : { ...closing, output: told }, askedModel);
    },
  };
}
