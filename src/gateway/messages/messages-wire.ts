import type { FrontWire } from '../front-wire.ts';
import { openMessageEvents } from './message-events.ts';
import { parseMessagesRequest } from './parse-messages-request.ts';
import { renderMessage, renderMessageRefusal } from './render-message.ts';

/** Anthropic messages. */
export const messagesWire: FrontWire = {
  path: '/v1/messages',
  parse: parseMessagesRequest,
  render: renderMessage,
  renderRefusal: renderMessageRefusal,
  openEvents: openMessageEvents,
};
