import { errors } from './error-table.ts';

export { errors };

/** A code of the one table, `ANL-` and four digits. */
export type ErrorCode = keyof typeof errors;

/** A place in a file; line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

type FieldValue = string | number | boolean | null;
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `{${infer Inner}` ? Inner : Name) | Placeholders<Rest>
  : never;

/** The fields that a code's template names (all required), and any others worth carrying, such as `value` and `limit`. */
export type ErrorFields<Code extends ErrorCode> = Readonly<
  Record<Placeholders<(typeof errors)[Code]['template']>, FieldValue> &
    Partial<Record<Placeholders<(typeof errors)[Code]['remedy']>, FieldValue>> &
    Record<string, FieldValue>
>;

/** What one occurrence of an error adds to its line in the table. */
export interface ErrorDetails {
  /** Places at fault, in reading order. */
  readonly at?: readonly SourcePosition[];
  /** The reason in one line, with both numbers where two were compared. */
  readonly why?: string;
  /** Replaces the table's remedy. */
  readonly next?: string;
  /** What was not spent, for example `nothing was started, 0 tokens spent`. */
  readonly notSpent?: string;
  readonly cause?: unknown;
}

/** The same fields everywhere: under `--json`, in failure details, in logs. */
export interface ErrorDocument {
  readonly code: ErrorCode;
  readonly message: string;
  readonly exit: number;
  readonly retryable: boolean;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly at: readonly SourcePosition[];
  readonly why: string | null;
  readonly next: string;
  readonly notSpent: string | null;
}

/** Replaces `{name}` by the field of that name; a field that is absent reads `…`. */
function fill(template: string, fields: Readonly<Record<string, FieldValue>>): string {
  return template.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) => String(fields[name] ?? '…'));
}

/** The only error that is shown to a person. Identity is `code`: use `isAnnealError`, never `instanceof`. */
export class AnnealError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly at: readonly SourcePosition[];
  readonly why: string | null;
  readonly next: string;
  readonly notSpent: string | null;

  constructor(code: Code, fields: ErrorFields<Code>, details: ErrorDetails = {}) {
    super(fill(errors[code].template, fields), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AnnealError';
    this.code = code;
    this.fields = fields;
    this.at = details.at ?? [];
    this.why = details.why ?? null;
    this.next = details.next ?? fill(errors[code].remedy, fields);
    this.notSpent = details.notSpent ?? null;
  }

  get exit(): number {
    return errors[this.code].exit;
  }

  get retryable(): boolean {
    return errors[this.code].retryable;
  }

  toJSON(): ErrorDocument {
    const { code, message, exit, retryable, fields, at, why, next, notSpent } = this;
    return { code, message, exit, retryable, fields, at, why, next, notSpent };
  }
}

/** True for an `AnnealError` of any realm, and for its JSON form; with `code`, for that code only. */
export function isAnnealError(value: unknown, code?: ErrorCode): value is ErrorDocument {
  if (typeof value !== 'object' || value === null || !('code' in value)) return false;
  return (
    typeof value.code === 'string' && Object.hasOwn(errors, value.code) && (code === undefined || value.code === code)
  );
}
