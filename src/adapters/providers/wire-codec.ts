import type { Delta } from '../../contract/provider-port.ts';
import type { ModelBinding } from '../../schema/model-binding.ts';
import type { ModelRequest, ModelResponse } from '../../schema/model-call.ts';

/** Puts the events of one streamed reply together. */
export interface ReplyStream {
  /** Takes one decoded event and tells what it adds. Throws where it is none of this wire, or a `ToldFailure`. */
  readonly add: (event: unknown) => readonly Delta[];
  /** The response so far; null until its end was seen: the stream was then cut. */
  readonly response: () => ModelResponse | null;
}

/** One wire between the neutral request and a provider. A new wire is a new one of these. */
export interface WireCodec {
  /** Below the root of the API. */
  readonly path: string;
  /** The JSON body: only what is listed there is ever sent. */
  readonly request: (request: ModelRequest, binding: ModelBinding, stream: boolean) => Record<string, unknown>;
  /** `askedModel` stands in where the server does not say what it served. Throws a `ToldFailure`, or where it is no reply. */
  readonly reply: (body: unknown, askedModel: string) => ModelResponse;
  readonly openStream: (askedModel: string) => ReplyStream;
}

/** A failure that the provider told within a reply of status 200. */
export class ToldFailure extends Error {
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.name = 'ToldFailure';
    this.code = code;
  }
}
