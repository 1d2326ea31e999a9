import type { FrontWire } from '../front-wire.ts';
import { parseResponsesRequest } from './parse-responses-request.ts';
import { renderResponse, renderResponseRefusal } from './render-response.ts';
import { openResponseEvents } from './response-events.ts';

/** OpenAI Responses. */
export const responsesWire: FrontWire = {
  path: '/v1/responses',
  parse: parseResponsesRequest,
  render: renderResponse,
  renderRefusal: renderResponseRefusal,
  openEvents: openResponseEvents,
};
