import type { Delta } from '../../contract/provider-port.ts';
import type { EventWriter, ReplyIdentity } from '../front-wire.ts';
import { chatFinishReason, chatUsage, renderChatRefusal } from './render-chat-reply.ts';

/** `chat.completion.chunk` events; the role comes with the first, usage in an own last one where it was asked for. */
export function openChatEvents({ id, model }: ReplyIdentity, includeUsage: boolean): EventWriter {
  let opened = false;
  const frame = { id, object: 'chat.completion.chunk', created: 0, model };
  const chunk = (delta: object, finishReason: string | null): string => {
    const role = opened ? {} : { role: 'assistant' };
    opened = true;
    return event({ ...frame, choices: [{ index: 0, delta: { ...role, ...delta }, finish_reason: finishReason }] });
  };
  return {
    delta: (delta) => (delta.kind === 'reasoning' ? '' : chunk(chatDelta(delta), null)),
    finish: (response) => {
      const refused = response.finishReason === 'refusal';
      const refusal = refused ? { refusal: response.content.map((part) => part.text).join('') } : {};
      const usage = includeUsage ? event({ ...frame, choices: [], usage: chatUsage(response.usage) }) : '';
      return `${chunk(refusal, chatFinishReason(response.finishReason))}${usage}data: [DONE]\n\n`;
    },
    broken: (refusal) => event(renderChatRefusal(refusal)),
  };
}

function chatDelta(delta: Exclude<Delta, { kind: 'reasoning' }>): object {
  switch (delta.kind) {
    case 'text':
      return { content: delta.text };
    case 'tool-call': {
      const { index, id, name } = delta;
      const opening = id === undefined ? {} : { id, type: 'function' };
      return {
        tool_calls: [
          { index, ...opening, function: { ...(name === undefined ? {} : { name }), arguments: delta.arguments } },
        ],
      };
    }
  }
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
