import type { BlobPort } from '../src/contract/ports.ts';
import type { JudgeEnd } from '../src/domain/outcome.ts';
import { violatedCriteria } from '../src/domain/violated-criteria.ts';
import type { JudgeEffect } from '../src/schema/attempt-effect.ts';
import { JudgeReport } from '../src/schema/judgement.ts';
import type { AttemptRecord } from '../src/schema/record.ts';
import { Reward } from '../src/schema/units.ts';

/** How judging ended, as the outcome needs it; `null`: nothing was judged. */
export function judgeEnd(judge: JudgeEffect | null): JudgeEnd {
  if (judge === null) return { kind: 'failed', reason: 'not judged' };
  return judge.kind === 'judged' ? { kind: 'judged', reward: Reward.parse(judge.reward) } : judge;
}

/** What a judge said, in the short form that records carry; null unless judged. */
export async function judgedSummary(blobs: BlobPort, judge: JudgeEffect | null): Promise<AttemptRecord['judged']> {
  if (judge?.kind !== 'judged') return null;
  if (judge.report === null) {
    return {
      delivered: false,
      strict: false,
      semantic: null,
      preservation: null,
      interaction: null,
      failedCategories: [],
    };
  }
  const report = JudgeReport.parse(await blobs.getJson(judge.report));
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
