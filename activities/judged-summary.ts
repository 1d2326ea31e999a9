import type { BlobPort } from '../src/contract/ports.ts';
import { judgedIn } from '../src/domain/judged-in.ts';
import type { JudgeEnd } from '../src/domain/outcome.ts';
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
  return judgedIn(judge.report === null ? null : JudgeReport.parse(await blobs.getJson(judge.report)));
}
