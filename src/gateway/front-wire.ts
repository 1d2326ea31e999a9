import type { Delta } from '../contract/provider-port.ts';
import type { ModelResponse } from '../schema/model-call.ts';
import type { Refusal } from './call-outcome.ts';
import type { RequestDraft } from '../domain/pin-request.ts';

/**
 * A request body that this wire understands, or what is wrong with it. `includeUsage`: a stream's closing events tell
 * usage.
 */
export type ParsedRequest =
  | { readonly kind: 'parsed'; readonly draft: RequestDraft; readonly stream: boolean; readonly includeUsage: boolean }
  | { readonly kind: 'invalid'; readonly message: string };

/** What a reply on the wire may name; the same for an answer and its repetition. */
export interface ReplyIdentity {
  readonly id: string;
  readonly model: string;
}

/** Writes one streamed reply as server-sent events. */
export interface EventWriter {
  readonly delta: (delta: Delta) => string;
  /** The closing events of a complete reply. */
  readonly finish: (response: ModelResponse) => string;
  /** The last event of a reply that broke. */
  readonly broken: (refusal: Refusal) => string;
}

/** One API that clients may speak at a lease's socket. A new one is a new set of files behind this. */
export interface FrontWire {
  readonly path: string;
  readonly parse: (body: unknown) => ParsedRequest;
  readonly render: (response: ModelResponse, identity: ReplyIdentity) => unknown;
  readonly renderRefusal: (refusal: Refusal) => unknown;
  readonly openEvents: (identity: ReplyIdentity, includeUsage: boolean) => EventWriter;
}
