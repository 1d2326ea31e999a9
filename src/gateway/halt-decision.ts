import type { Halt, HaltKind } from '../schema/halt.ts';
import type { ProviderResult } from '../schema/model-call.ts';
import type { GatewayPolicy } from './gateway-policy.ts';

type Fault = Exclude<ProviderResult, { kind: 'answered' }>;
type Decided = Omit<Halt, 'role' | 'since'>;

/** Refusals that no waiting mends, by the code of the provider's adapter. */
const FOR_A_PERSON: Readonly<Record<string, HaltKind>> = {
  key_refused: 'key_refused',
  credit_gone: 'credit_gone',
  model_unknown: 'model_unknown',
  setting_refused: 'setting_refused',
};

/** Whether one fault alone halts its role: a refusal for a person to mend, or a wait that is too long to be silent about. */
export function haltAtOnce(fault: Fault, policy: GatewayPolicy, now: number): Decided | null {
  if (fault.kind !== 'rejected') return null;
  const { code, detail: reason, retryAfterMs } = fault;
  const kind = FOR_A_PERSON[code];
  if (kind !== undefined) return { kind, reason, setting: fault.claim?.setting ?? null, until: null };
  if (retryAfterMs === null || retryAfterMs <= policy.haltAboveWaitMs) return null;
  return { kind: kindOf(code), reason, setting: null, until: now + retryAfterMs };
}

/**
 * Whether a call that was given up halts its role: only where nothing was served for a while. It is tried again by itself
 * unless a try may cost something: requests that are lost are charged in full.
 */
export function haltWhenLasting(fault: Fault, failingMs: number, policy: GatewayPolicy, now: number): Decided | null {
  if (failingMs < policy.haltAfterMs) return null;
  const { code, detail } = fault;
  const until = fault.kind === 'rejected' ? now + policy.tryAgainAfterMs : null;
  const seconds = Math.round(failingMs / 1000);
  const reason = `${code}${detail === '' ? '' : `: ${detail}`}; no answer for ${seconds} s`;
  return { kind: kindOf(code), reason, setting: null, until };
}

function kindOf(code: string): HaltKind {
  switch (code) {
    case 'rate_limited':
      return 'rate_limited';
    case 'not_reachable':
      return 'unreachable';
    default:
      return 'failing';
  }
}
