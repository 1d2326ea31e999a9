import type { JudgeReport } from '../schema/judgement.ts';
import type { AttemptRecord } from '../schema/record.ts';
import { violatedCriteria } from './violated-criteria.ts';

type Judged = NonNullable<AttemptRecord['judged']>;

/** What a judge said, in the short form that records carry; null: the outputs killed the judge, nothing was delivered. */
export function judgedIn(report: JudgeReport | null): Judged {
  if (report === null) {
    return {
      delivered: false,
      strict: false,
      semantic: null,
      preservation: null,
      interaction: null,
      failedCategories: [],
    };
  }
  const { semantic, preservation, interaction, strict } = report.vector;
  return {
    delivered: report.delivered,
    strict,
    semantic,
    preservation,
    interaction,
    failedCategories: failedCategories(report),
  };
}

/** Categories with at least one violated criterion; a missing delivery is not counted again. */
function failedCategories({ delivered, criteria }: JudgeReport): string[] {
  if (!delivered) return [];
  return [...new Set(violatedCriteria({ criteria }).map(({ category }) => category))].toSorted();
}
