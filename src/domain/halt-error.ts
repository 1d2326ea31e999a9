import type { ModelSettings } from '../schema/experiment-config.ts';
import type { Halt } from '../schema/halt.ts';
import { assertNever } from './assert-never.ts';
import { AnnealError, type ErrorDetails } from './errors.ts';

/** What an error about a halted role has to name. */
export interface HaltedExperiment {
  readonly experiment: string;
  readonly file: string;
  /** Settings of the halted role; null for a role without a model. */
  readonly model: ModelSettings | null;
  /** Epoch milliseconds in words: workflows know no calendar. */
  readonly timeText: (at: number) => string;
}

const notSpent = 'while it waits nothing is sent, 0 tokens are spent; what is scored stands';

/** A halted role as a person is told of it: what is wrong, since when, what goes on by itself, what to do. */
export function haltError(halt: Halt, { experiment, file, model, timeText }: HaltedExperiment): AnnealError {
  const { role } = halt;
  const real = model === null || model.provider === 'simulated' ? null : model;
  const fields = {
    experiment,
    file,
    role,
    model: real?.model ?? 'simulated',
    address: real?.baseUrl ?? 'nowhere',
    variable: real?.keyVariable ?? 'no keyVariable is set',
    setting: halt.setting === 'seed' ? 'seed' : `models.${role}.${halt.setting ?? 'model'}`,
    since: halt.since,
    until: halt.until,
  };
  const details: ErrorDetails = { why: whyOf(halt, timeText), notSpent };
  switch (halt.kind) {
    case 'key_refused':
      return new AnnealError('ANL-5101', fields, details);
    case 'credit_gone':
      return new AnnealError('ANL-5102', fields, details);
    case 'model_unknown':
      return new AnnealError('ANL-5103', fields, details);
    case 'setting_refused':
      return new AnnealError('ANL-5104', fields, details);
    case 'served_model_changed':
      return new AnnealError('ANL-5105', fields, details);
    case 'price_unknown':
      return new AnnealError('ANL-5109', fields, details);
    case 'rate_limited':
      return new AnnealError('ANL-5106', fields, details);
    case 'unreachable':
      return new AnnealError('ANL-5107', fields, details);
    case 'failing':
      return new AnnealError('ANL-5108', fields, details);
    default:
      return assertNever(halt.kind);
  }
}

function whyOf({ reason, since, until }: Halt, timeText: (at: number) => string): string {
  const goesOn = until === null ? '' : `; tried again by itself at ${timeText(until)}`;
  return `${reason.slice(0, 300)} (halted ${timeText(since)}${goesOn})`;
}
