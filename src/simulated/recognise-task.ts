import type { ModelRequest } from '../schema/model-call.ts';
import { normaliseInstruction } from '../schema/policy-book.ts';
import type { PolicyBook, TaskPolicy } from '../schema/policy-book.ts';
import { textOfRole } from './request-text.ts';

/** The policy whose whole instruction stands in the user's messages; the longest where several do, null where none does. */
export function recogniseTask(request: ModelRequest, book: PolicyBook): TaskPolicy | null {
  const text = normaliseInstruction(textOfRole(request, 'user'));
  return book.policies
    .filter((policy) => text.includes(policy.instruction))
    .reduce<TaskPolicy | null>(
      (longest, policy) =>
        longest === null || policy.instruction.length > longest.instruction.length ? policy : longest,
      null,
    );
}
