import type { Delta } from '../../contract/provider-port.ts';
import { thinkingBlock } from '../../domain/thinking-block.ts';
import type { EventWriter, ReplyIdentity } from '../front-wire.ts';
import { messageFrame, messageUsage, renderMessageRefusal, stopReason } from './render-message.ts';

/**
 * Events of a streamed `message`. Blocks are numbered as they open; one is open at a time. Until the end the usage is
 * told as nothing: what the call came to stands in `message_delta`.
 */
export function openMessageEvents(identity: ReplyIdentity): EventWriter {
  let begun = false;
  let blocks = 0;
  /** What the open block holds: a text, or a tool call by its index. */
  let open: 'text' | number | null = null;

  const start = (): string => {
    if (begun) return '';
    begun = true;
    const message = { ...messageFrame(identity), content: [], stop_reason: null };
    return event('message_start', { message: { ...message, usage: { input_tokens: 0, output_tokens: 0 } } });
  };
  const openBlock = (content_block: Record<string, unknown>): string =>
    event('content_block_start', { index: blocks, content_block });
  const grow = (delta: Record<string, unknown>): string => event('content_block_delta', { index: blocks, delta });
  const close = (): string => {
    if (open === null) return '';
    open = null;
    blocks += 1;
    return event('content_block_stop', { index: blocks - 1 });
  };

  const piece = (delta: Delta): string => {
    switch (delta.kind) {
      case 'reasoning':
        return thinkingBlock(delta.reasoning).map(whole).join('');
      case 'text': {
        const opening = open === 'text' ? '' : close() + openBlock({ type: 'text', text: '' });
        open = 'text';
        return opening + grow({ type: 'text_delta', text: delta.text });
      }
      case 'tool-call': {
        const use = { type: 'tool_use', id: delta.id ?? '', name: delta.name ?? '', input: {} };
        const opening = open === delta.index ? '' : close() + openBlock(use);
        open = delta.index;
        const { arguments: written } = delta;
        return written === '' ? opening : opening + grow({ type: 'input_json_delta', partial_json: written });
      }
    }
  };
  /** A block that comes in one piece. */
  const whole = (block: Record<string, unknown>): string => {
    const closing = close();
    const { signature, thinking } = block;
    const empty = signature === undefined ? block : { ...block, thinking: '', signature: '' };
    const opening = openBlock(empty);
    open = 'text';
    const pieces =
      signature === undefined
        ? ''
        : grow({ type: 'thinking_delta', thinking }) + grow({ type: 'signature_delta', signature });
    return closing + opening + pieces + close();
  };

  return {
    delta: (delta) => start() + piece(delta),
    finish: (response) => {
      const opening = start();
      const untold = response.finishReason === 'refusal' && blocks === 0 && open === null;
      const refused = untold ? response.content.map((part) => part.text).join('') : '';
      const refusal = refused === '' ? '' : piece({ kind: 'text', text: refused });
      const usage = messageUsage(response.usage) ?? { output_tokens: null };
      const delta = { stop_reason: stopReason(response.finishReason), stop_sequence: null };
      return opening + refusal + close() + event('message_delta', { delta, usage }) + event('message_stop', {});
    },
    broken: (refusal) => `event: error\ndata: ${JSON.stringify(renderMessageRefusal(refusal))}\n\n`,
  };
}

function event(type: string, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
