import type { AnswerShape } from './server-wire.ts';

/** How one request is treated. `answer` is the ordinary reply; everything else is a way to go wrong. */
export type Script =
  | {
      readonly kind: 'answer';
      readonly text?: string;
      readonly toolCalls?: readonly ScriptedCall[];
      readonly thought?: string;
      readonly finishReason?: 'length' | 'content_filter';
      /** Before anything is billed. */
      readonly delayMs?: number;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** Served and billed behind whoever says this status. */
      readonly billed?: boolean;
    }
  /** Closes the connection before a byte is sent. Nothing is billed. */
  | { readonly kind: 'reset' }
  /** Billed, then the connection is closed without a reply. */
  | { readonly kind: 'lost-reply' }
  /** Never answers. Billed when `billed` is set. */
  | { readonly kind: 'stall'; readonly billed?: boolean }
  /** Billed; a stream ends after its first piece, a plain reply in the middle of its JSON. */
  | { readonly kind: 'cut' }
  /** Billed; usage is null, left out, or of no tokens. */
  | { readonly kind: 'no-usage'; readonly how: 'null' | 'missing' | 'zero' }
  /** Billed; a stream whose events come with a pause before each. */
  | { readonly kind: 'slow-stream'; readonly gapMs: number }
  /** Billed; a stream that tells an error after its first piece. */
  | { readonly kind: 'error-stream' }
  | { readonly kind: 'html' }
  | { readonly kind: 'error-object' }
  /** Billed; content or call in another shape. */
  | { readonly kind: 'shape'; readonly shape: Exclude<AnswerShape, 'plain'> }
  /** Billed; a call of a tool that nobody offered. */
  | { readonly kind: 'unknown-tool' }
  | { readonly kind: 'refusal' }
  /** Billed; the message as given, on the chat wire. */
  | { readonly kind: 'message'; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: 'served'; readonly model: string };

/** A call in the shape of the chat wire, whichever wire it is said on. */
interface ScriptedCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const RATE_LIMIT = { kind: 'status', status: 429 } as const;

/** Every way to go wrong that a provider has shown, by name. */
export const FAULTS = {
  'a 429': RATE_LIMIT,
  'a 429 with Retry-After': { ...RATE_LIMIT, headers: { 'retry-after': '1' } },
  'a 500': { kind: 'status', status: 500 },
  'a 503': { kind: 'status', status: 503 },
  'a 529': { kind: 'status', status: 529 },
  'a 502 of a proxy': { kind: 'status', status: 502, body: 'Bad gateway' },
  'a 504 of a proxy after billing': { kind: 'status', status: 504, body: { message: 'timed out' }, billed: true },
  'a 408 in the words of the provider': { kind: 'status', status: 408 },
  'a typed 504 after billing': { kind: 'status', status: 504, billed: true },
  'a typed 524 after billing': { kind: 'status', status: 524, billed: true },
  'a 502 in the words of the provider': { kind: 'status', status: 502 },
  'a connection reset': { kind: 'reset' },
  'a stall': { kind: 'stall' },
  'a stall after billing': { kind: 'stall', billed: true },
  'a reply lost after billing': { kind: 'lost-reply' },
  'a cut reply': { kind: 'cut' },
  'an error in the stream': { kind: 'error-stream' },
  'usage of null': { kind: 'no-usage', how: 'null' },
  'usage left out': { kind: 'no-usage', how: 'missing' },
  'usage of nothing': { kind: 'no-usage', how: 'zero' },
  'a list as content': { kind: 'shape', shape: 'list-content' },
  'absent content': { kind: 'shape', shape: 'absent-content' },
  'a malformed tool call': { kind: 'shape', shape: 'malformed-call' },
  'an unknown tool': { kind: 'unknown-tool' },
  'a refusal': { kind: 'refusal' },
  'HTML with status 200': { kind: 'html' },
  'an error object with status 200': { kind: 'error-object' },
  'another served model': { kind: 'served', model: 'office-1-mini' },
} as const satisfies Readonly<Record<string, Script>>;
export type FaultName = keyof typeof FAULTS;
