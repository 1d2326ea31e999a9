import { ChatReply, responseOf } from './chat-reply.ts';
import { chatRequest } from './chat-request.ts';
import { createChatStream } from './chat-stream.ts';
import type { WireCodec } from './wire-codec.ts';

/** OpenAI chat completions. */
export const chatCodec: WireCodec = {
  path: '/chat/completions',
  request: chatRequest,
  reply: (body, askedModel) => responseOf(ChatReply.parse(body), askedModel),
  openStream: createChatStream,
};
