import { MessagesReply, responseOfMessage } from './messages-reply.ts';
import { messagesRequest } from './messages-request.ts';
import { createMessagesStream } from './messages-stream.ts';
import type { WireCodec } from './wire-codec.ts';

/** Anthropic messages. */
export const messagesCodec: WireCodec = {
  path: '/v1/messages',
  request: messagesRequest,
  reply: (body, askedModel) => responseOfMessage(MessagesReply.parse(body), askedModel),
  openStream: createMessagesStream,
};
