import { z } from 'zod';
import type { Delta } from '../../contract/provider-port.ts';
import { messagesUsage, reasoningOf, responseOfBlocks } from './messages-reply.ts';
import type { MessagesBlock } from './messages-reply.ts';
import { ToldFailure } from './wire-codec.ts';
import type { ReplyStream } from './wire-codec.ts';

const Text = z.string().nullish();
const Usage = z.record(z.string(), z.unknown()).nullish();
const Index = z.number().int().nonnegative();

const MessagesEvent = z.looseObject({
  type: z.string(),
  message: z.looseObject({ id: Text, model: Text, usage: Usage }).nullish(),
  index: Index.nullish(),
  content_block: z
    .looseObject({ type: z.string(), text: Text, id: Text, name: Text, input: z.unknown().optional(), data: Text })
    .nullish(),
  delta: z
    .looseObject({ text: Text, partial_json: Text, thinking: Text, signature: Text, stop_reason: Text })
    .nullish(),
  usage: Usage,
  error: z.looseObject({ type: Text, message: Text }).nullish(),
});
type MessagesEvent = z.infer<typeof MessagesEvent>;

interface OpenBlock extends MessagesBlock {
  /** Arguments as written so far; null until a piece came. */
  written: string | null;
  /** Position among the tool calls. */
  call: number;
}

/** Puts the events of one streamed reply of `POST /v1/messages` together. */
export function createMessagesStream(askedModel: string): ReplyStream {
  let id = '';
  let servedModel = askedModel;
  let stopReason: string | null = null;
  let ended = false;
  /** Until a `message_delta` tells it, the count of the output is a mere beginning. */
  let counted = false;
  let usage: Record<string, unknown> = {};
  let calls = 0;
  const blocks = new Map<number, OpenBlock>();

  const open = ({ index, content_block: begun }: MessagesEvent): Delta[] => {
    if (begun === null || begun === undefined) return [];
    const call = begun.type === 'tool_use' ? calls++ : -1;
    const block: OpenBlock = { ...begun, written: null, call };
    blocks.set(index ?? blocks.size, block);
    if (call !== -1) {
      block.id ??= `call_${call}`;
      return [{ kind: 'tool-call', index: call, id: block.id, name: block.name ?? '', arguments: '' }];
    }
    return typeof block.text === 'string' && block.text !== '' ? [{ kind: 'text', text: block.text }] : [];
  };

  const grow = ({ index, delta }: MessagesEvent): Delta[] => {
    const block = blocks.get(index ?? blocks.size - 1);
    if (block === undefined || delta === null || delta === undefined) return [];
    block.thinking = `${block.thinking ?? ''}${delta.thinking ?? ''}`;
    block.signature = `${block.signature ?? ''}${delta.signature ?? ''}`;
    if (typeof delta.text === 'string' && delta.text !== '') {
      block.text = `${block.text ?? ''}${delta.text}`;
      return [{ kind: 'text', text: delta.text }];
    }
    if (typeof delta.partial_json !== 'string') return [];
    block.written = `${block.written ?? ''}${delta.partial_json}`;
    return [{ kind: 'tool-call', index: block.call, arguments: delta.partial_json }];
  };

  /** Arguments that came with the opening of a call are told at its end, where no piece of them came. */
  const close = ({ index }: MessagesEvent): Delta[] => {
    const block = blocks.get(index ?? blocks.size - 1);
    if (block === undefined) return [];
    if (block.call === -1) return reasoningOf(block).map((reasoning) => ({ kind: 'reasoning', reasoning }));
    if (block.written !== null && block.written !== '') return [];
    block.written = JSON.stringify(block.input ?? {});
    return [{ kind: 'tool-call', index: block.call, arguments: block.written }];
  };

  return {
    add: (value) => {
      const event = MessagesEvent.parse(value);
      usage = { ...usage, ...given(event.message?.usage), ...given(event.usage) };
      switch (event.type) {
        case 'message_start':
          id = event.message?.id ?? '';
          servedModel = event.message?.model ?? askedModel;
          return [];
        case 'content_block_start':
          return open(event);
        case 'content_block_delta':
          return grow(event);
        case 'content_block_stop':
          return close(event);
        case 'message_delta':
          stopReason = event.delta?.stop_reason ?? stopReason;
          ended ||= stopReason !== null;
          counted ||= typeof event.usage?.['output_tokens'] === 'number';
          return [];
        case 'error':
          throw new ToldFailure(event.error?.type ?? '', event.error?.message ?? 'an error event');
        default:
          return [];
      }
    },
    response: () => {
      if (!ended) return null;
      const complete = [...blocks.values()].map((block) =>
        block.call === -1 ? block : { ...block, input: block.written ?? '{}' },
      );
      return responseOfBlocks(complete, { id, servedModel, stopReason, usage: counted ? messagesUsage(usage) : null });
    },
  };
}

/** Without fields that are null: they say nothing new. */
function given(usage: Record<string, unknown> | null | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null));
}
