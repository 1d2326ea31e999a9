import { assertNever } from '../domain/assert-never.ts';
import type {
  ActionResult,
  Derived,
  FeedbackPass,
  ModelReply,
  SessionEnd,
  Submitted,
  Validated,
} from './step-machine.ts';

type Value = FeedbackPass | ModelReply | Derived | SessionEnd | Submitted | Validated;

/** The value of a result that is ok and of the kind asked for; null for every other result. */
export function resultValue<Kind extends Value['kind']>(
  result: ActionResult,
  kind: Kind,
): Extract<Value, { kind: Kind }> | null {
  if (result.kind !== 'ok' || result.value === null || result.value.kind !== kind) return null;
  return result.value as Extract<Value, { kind: Kind }>;
}

/** One line on why a result has no value. */
export function describeFailure(result: ActionResult): string {
  switch (result.kind) {
    case 'budget-refused':
      return `${result.which} budget refused, ${result.remaining} left`;
    case 'invalid':
      return result.findings.map(({ code, text }) => `${code} ${text}`).join('; ') || 'invalid';
    case 'infra-failed':
      return result.why;
    case 'partial':
      return `partial: ${result.why}`;
    case 'ok':
    case 'batch':
      return 'a result of another kind';
    default:
      return assertNever(result);
  }
}
