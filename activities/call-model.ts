import { z } from 'zod';
import type { Activities } from '../src/contract/activities.ts';
import type { GatewayPort } from '../src/contract/gateway-port.ts';
import { isAnnealError } from '../src/domain/errors.ts';
import { assertNever } from '../src/domain/assert-never.ts';
import { replyJson } from '../src/domain/reply-json.ts';
import { updaterCallLimits } from '../src/domain/updater-call-limits.ts';
import type { Sha256 } from '../src/schema/ids.ts';
import type { Lease } from '../src/schema/lease.ts';
import type { ModelResponse } from '../src/schema/model-call.ts';
import { replySchemas } from '../src/schema/reply-schemas.ts';
import type { CallModel, CallModelResult } from '../src/updaters/step-machine.ts';
import { actionKey } from '../src/domain/attempt-key.ts';
import { callEffect } from '../src/domain/effect-keys.ts';
import type { ActivityDependencies, CallLease } from './dependencies.ts';
import { readTexts } from './derive.ts';
import { findEffect, storeEffect } from './effect.ts';
import { activitySignal, cancellationKind, withHeartbeat } from './heartbeat.ts';
import { recordDisclosure } from './record-disclosure.ts';
import type { RecordStore } from './record-store.ts';
import { haltOf } from './until-served.ts';

type Refused = Extract<Awaited<ReturnType<CallLease>>, { kind: 'refused' }>;

const Stored = z.custom<CallModelResult>((value) => typeof value === 'object' && value !== null && 'kind' in value);

/**
 * Make one metered call as an arm's updater; its result is recorded under the action's key before it is returned. Each round
 * is an epoch of its own, with limits of its own.
 */
export function callModel(dependencies: ActivityDependencies, records: RecordStore): Activities['callModel'] {
  const { gateway, experiments, blobs, clock } = dependencies;
  const call: Activities['callModel'] = async ({ experimentId, arm, stepKey, action, round }) => {
    const lock = await experiments.lock(experimentId);
    const key = actionKey(lock, arm, stepKey, action);
    const known = await findEffect(gateway, callEffect(key), Stored);
    if (known !== null) return known;
    const template = dependencies.promptTemplates[action.templateId];
    if (template === undefined) return unusable('template-unknown', action.templateId);
    const prompt = template({ texts: await readTexts(dependencies, action.refs), parameters: action.parameters });
    // Half a character has no bytes of its own: what is put on record is what is sent.
    const user = Buffer.from(prompt.user).toString('utf8');
    const lease = await gateway.openLease({
      experimentId,
      arm,
      role: 'updater',
      attemptKey: key,
      epoch: round,
      limits: updaterCallLimits,
      seed: lock.identity.seed,
    });
    const disclose = (content: 'prompt' | 'reply', blob: Sha256): Promise<void> =>
      recordDisclosure(records, lock, clock(), { arm, key, items: [{ content, attempt: null, blob }] });
    const { reply, usage } = await closedWhenCancelled(gateway, lease, async () => {
      await disclose('prompt', (await blobs.put(user)).sha256);
      return {
        reply: await dependencies.callLease(
          lease,
          1,
          {
            messages: [{ role: 'user', content: [{ type: 'text', text: user }] }],
            responseFormat: prompt.responseFormat,
          },
          activitySignal(),
        ),
        usage: await gateway.closeLease({ attemptKey: key, epoch: round, lease: lease.lease }),
      };
    });
    const result =
      reply.kind === 'answered'
        ? await readReply(dependencies, action, reply.response, usage.tokensCharged)
        : refusalOf(reply);
    if (result.kind === 'infra-failed')
      return (await haltOf(gateway, experimentId, 'updater')) === null ? result : { kind: 'halted' };
    if (result.kind === 'ok') await disclose('reply', result.value.text.sha256);
    return storeEffect(gateway, callEffect(key), Stored, result);
  };
  return async (input) => {
    try {
      return await call(input);
    } catch (error) {
      if (!isAnnealError(error, 'ANL-5010')) throw error;
      return { kind: 'halted' };
    }
  };
}

/**
 * Work under a lease. When the workflow does not want it any more, its lease is closed: the call under way ends and is
 * charged. Otherwise the lease stays, for the next try adopts it and finds the answer that was paid for.
 */
async function closedWhenCancelled<Value>(
  gateway: GatewayPort,
  { attemptKey, epoch, lease }: Lease,
  work: () => Promise<Value>,
): Promise<Value> {
  const guarded = async (): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      // What cannot be closed now is closed before the report: the cancellation has to arrive as such.
      if (cancellationKind() === 'workflow') await gateway.closeLease({ attemptKey, epoch, lease }).catch(() => {});
      throw error;
    }
  };
  return withHeartbeat(guarded());
}

async function readReply(
  { blobs }: ActivityDependencies,
  action: CallModel,
  response: ModelResponse,
  tokensCharged: number,
): Promise<CallModelResult> {
  const text = response.content.map((part) => part.text).join('');
  const found = replyJson(text);
  if (found.kind === 'none') return unusable('reply-not-json', found.why);
  const schema = replySchemas[action.schemaId as keyof typeof replySchemas];
  if (schema === undefined) return unusable('schema-unknown', action.schemaId);
  const parsed = schema.safeParse(found.value);
  if (!parsed.success) return unusable('reply-misshapen', parsed.error.issues[0]?.message ?? '');
  return {
    kind: 'ok',
    value: {
      kind: 'model-reply',
      text: await blobs.put(text),
      parsed: await blobs.putJson(parsed.data),
      finishReason: response.finishReason,
      tokensCharged,
      findings:
        found.kind === 'cut' ? [{ code: 'reply-cut', text: 'the reply ended early; what was complete is kept' }] : [],
    },
  };
}

function refusalOf({ type, code, message }: Refused): CallModelResult {
  switch (type) {
    case 'budget_refused':
      return { kind: 'budget-refused', which: code === 'money_capped' ? 'money' : 'tokens', remaining: 0 };
    case 'token_limit':
    case 'call_limit':
      return { kind: 'budget-refused', which: 'tokens', remaining: 0 };
    case 'invalid_request':
    case 'context_overflow':
    case 'refusal':
    case 'call_conflict':
      return unusable(type, message || code);
    case 'provider_unavailable':
    case 'fenced':
      return { kind: 'infra-failed', retryable: true, why: `${type} ${code}`.trim() };
    default:
      return assertNever(type);
  }
}

function unusable(code: string, text: string): CallModelResult {
  return { kind: 'invalid', findings: [{ code, text: text.slice(0, 300) }] };
}
