import type { FrontWire } from '../front-wire.ts';
import { openChatEvents } from './chat-events.ts';
import { parseChatRequest } from './parse-chat-request.ts';
import { renderChatRefusal, renderChatReply } from './render-chat-reply.ts';

/** OpenAI chat completions. */
export const chatWire: FrontWire = {
  path: '/v1/chat/completions',
  parse: parseChatRequest,
  render: renderChatReply,
  renderRefusal: renderChatRefusal,
  openEvents: openChatEvents,
};
