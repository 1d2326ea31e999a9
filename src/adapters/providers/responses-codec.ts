import { ResponsesReply, responseOfResponses } from './responses-reply.ts';
import { responsesRequest } from './responses-request.ts';
import { createResponsesStream } from './responses-stream.ts';
import type { WireCodec } from './wire-codec.ts';

/** OpenAI Responses, without any state at the provider. */
export const responsesCodec: WireCodec = {
  path: '/responses',
  request: responsesRequest,
  reply: (body, askedModel) => responseOfResponses(ResponsesReply.parse(body), askedModel),
  openStream: createResponsesStream,
};
