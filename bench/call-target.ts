import { Client } from 'undici';

/** One connection of one caller to a model endpoint; `call` is 1-based and only our gateway looks at it. */
export interface CallLane {
  /** The connection, and what is sent with each call besides the body. */
  next(
    call: number,
  ): Promise<{ readonly client: Client; readonly path: string; readonly headers: Record<string, string> }>;
  close(): Promise<void>;
}

/** A model endpoint under measurement: the provider itself, our gateway, or another gateway before the same provider. */
export interface CallTarget {
  readonly name: string;
  lane(index: number): Promise<CallLane>;
}

/** A target that needs nothing but fixed headers: one keep-alive connection a lane. */
export function plainTarget(name: string, baseUrl: string, headers: Record<string, string> = {}): CallTarget {
  const { origin, pathname } = new URL(baseUrl);
  return {
    name,
    lane: async () => {
      const client = new Client(origin);
      const call = { client, path: `${pathname.replace(/\/$/, '')}/chat/completions`, headers };
      return { next: async () => call, close: async () => client.destroy() };
    },
  };
}

/** Sends call number `call` and reads the whole answer. Milliseconds until the first byte of the body and until its end. */
export async function timedCall(
  lane: CallLane,
  call: number,
  stream = false,
): Promise<{ first: number; whole: number }> {
  const { client, path, headers } = await lane.next(call);
  const body = prompt(call, stream);
  const started = performance.now();
  const reply = await client.request({
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  let first = 0;
  let text = '';
  for await (const chunk of reply.body) {
    first ||= performance.now() - started;
    text += String(chunk);
  }
  const whole = performance.now() - started;
  if (reply.statusCode !== 200) throw new Error(`HTTP ${reply.statusCode}: ${text.slice(0, 500)}`);
  return { first, whole };
}

/** A conversation of about 5 KB; only its last message differs from call to call. */
function prompt(call: number, stream: boolean): string {
  const paragraph = 'Open the workbook, read the sheet of March, and compare each total with the ledger. ';
  const messages = Array.from({ length: 10 }, (_, index) => ({
    role: index === 0 ? 'system' : index % 2 === 0 ? 'assistant' : 'user',
    content: `${paragraph.repeat(6)} step ${index === 9 ? call : index}`,
  }));
  return JSON.stringify({ model: 'instant', messages, ...(stream ? { stream: true } : {}) });
}
