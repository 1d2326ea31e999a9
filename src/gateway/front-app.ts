import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { bearerMatches } from './bearer.ts';
import { refuse, settled } from './call-outcome.ts';
import type { PendingCall, Refusal } from './call-outcome.ts';
import { chatWire } from './chat-completions/chat-wire.ts';
import { frontStatus } from './front-status.ts';
import type { FrontWire } from './front-wire.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { LeaseSession } from './lease-session.ts';
import { messagesWire } from './messages/messages-wire.ts';
import { unavailable } from './request-attempt.ts';
import { pauseAfter } from './pause-after.ts';
import { inFlight, placeCall } from './place-call.ts';
import type { EarlierInFlight } from './place-call.ts';
import { readBody } from './read-body.ts';
import { replyEvents } from './reply-events.ts';
import { responsesWire } from './responses/responses-wire.ts';

/** One wire per line; a new API is added here. */
const WIRES: readonly FrontWire[] = [chatWire, responsesWire, messagesWire];

/** The socket that a request came in by stands for its lease. */
export interface FrontBindings extends HttpBindings {
  readonly session: LeaseSession;
}
type FrontContext = Context<{ Bindings: FrontBindings }>;

interface TakenRequest {
  readonly pending: PendingCall;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

/** What the clients of all leases talk to; which lease it is comes with the socket. */
export function createFrontApp(
  dependencies: GatewayDependencies,
  earlierInFlight: EarlierInFlight,
): Hono<{ Bindings: FrontBindings }> {
  const { ledger, clock, policy } = dependencies;
  const app = new Hono<{ Bindings: FrontBindings }>();
  const spoken = (context: FrontContext): FrontWire => WIRES.find(({ path }) => path === context.req.path) ?? chatWire;

  app.use(async (context, next) => {
    const { token } = context.env.session.state;
    const key = context.req.header('x-api-key');
    const given = context.req.header('authorization') ?? (key === undefined ? undefined : `Bearer ${key}`);
    if (bearerMatches(given, token)) return next();
    const refused = refuse('invalid_request', 'bad_token', 'the bearer token is not of this lease');
    return refusal(context, spoken(context), refused);
  });
  app.get('/v1/lease', (context) => {
    const { state, waitingSince } = context.env.session;
    const usage = ledger.leaseUsage(state);
    return context.json({
      waitedMs: usage.waitedMs + (waitingSince === null ? 0 : Math.max(0, clock() - waitingSince)),
      calls: usage.calls + usage.retries,
      tokensCharged: usage.tokensCharged + usage.tokensInherited,
    });
  });
  for (const wire of WIRES) {
    app.post(wire.path, async (context) => {
      const { session, incoming } = context.env;
      const call = Number(context.req.header('x-anneal-call') ?? Number.NaN);
      const early = refusedByHeaders(context, call);
      if (early !== null) return refusal(context, wire, early);
      const taken = await session.turn(() => takeRequest(session, wire, call, incoming));
      const identity = {
        id: `call-${call}`,
        model: ledger.experiment(session.state.experimentId).models[session.state.role]?.model ?? '',
      };
      if (taken.stream) return replyEvents(context, wire, identity, taken);
      const outcome = await taken.pending.outcome;
      return outcome.kind === 'answered'
        ? context.json(wire.render(outcome.response, identity) as object)
        : refusal(context, wire, outcome);
    });
  }
  app.notFound((context) =>
    refusal(context, chatWire, refuse('invalid_request', 'no_such_path', 'nothing is served at this path')),
  );

  app.onError((error, context) => {
    dependencies.log.error({ path: context.req.path, error: String(error) }, 'front-failed');
    return refusal(context, spoken(context), unavailable('gateway_error'));
  });

  /** Reads, parses and places one request; at most one per lease is in here. */
  const takeRequest = async (
    session: LeaseSession,
    wire: FrontWire,
    call: number,
    incoming: FrontBindings['incoming'],
  ): Promise<TakenRequest> => {
    const answered = (pending: PendingCall): TakenRequest => ({ pending, stream: false, includeUsage: false });
    const pause = session.notBefore - performance.now();
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const under = session.inFlight;
    if (under !== null && under.call !== call) return answered(settled(inFlight(under.call)));
    const body = await readBody(incoming, policy.maxBodyBytes);
    if (body.kind !== 'read')
      return answered(
        settled(
          body.kind === 'cut'
            ? refuse('invalid_request', 'body_cut', 'the connection ended before the body did')
            : refuse('invalid_request', 'body_too_large', `a body has at most ${policy.maxBodyBytes} bytes`),
        ),
      );
    const started = performance.now();
    const parsed = parse(wire, body.text);
    const charge = (): void => {
      const now = performance.now();
      session.notBefore = now + pauseAfter(now - started);
    };
    if (parsed.kind === 'invalid') {
      charge();
      return answered(settled(refuse('invalid_request', 'invalid_request', parsed.message)));
    }
    const { draft, stream, includeUsage } = parsed;
    const pending = await placeCall(dependencies, session, { call, draft, stream }, earlierInFlight);
    charge();
    return { pending, stream, includeUsage };
  };
  return app;
}

/** Also refuses what cannot be written again, such as a schema nested a million deep. */
function parse(wire: FrontWire, text: string): ReturnType<FrontWire['parse']> {
  try {
    const parsed = wire.parse(JSON.parse(text));
    if (parsed.kind === 'parsed') JSON.stringify(parsed.draft.tools);
    return parsed;
  } catch {
    return { kind: 'invalid', message: 'the body cannot be read as JSON' };
  }
}

function refusedByHeaders(context: FrontContext, call: number): Refusal | null {
  const encoding = context.req.header('content-encoding');
  if (encoding !== undefined && encoding !== 'identity')
    return refuse('invalid_request', 'content_encoding', 'send the body without content encoding');
  if (!Number.isSafeInteger(call) || call < 1)
    return refuse('invalid_request', 'call_number', 'the header x-anneal-call must carry the call number, from 1');
  return null;
}

function refusal(context: FrontContext, wire: FrontWire, refused: Refusal): Response {
  if (!context.env.incoming.complete) context.header('connection', 'close');
  return context.json(wire.renderRefusal(refused) as object, frontStatus(refused));
}
