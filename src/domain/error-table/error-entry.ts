/** One row of the error table. */
export interface ErrorEntry {
  /** Process exit code: 2 bad input · 3 coverage · 5 service · 6 integrity. Budgets and cancellation are told by a report's. */
  readonly exit: 2 | 3 | 5 | 6;
  /** True when the same request may succeed later without any change by a person. */
  readonly retryable: boolean;
  /** What happened to which id; `{name}` stands for a field. */
  readonly template: string;
  /** What to do next; may use the same fields. */
  readonly remedy: string;
}
