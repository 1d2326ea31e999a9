import type { BlobPort } from '../src/contract/ports.ts';
import { JudgeReport } from '../src/schema/judgement.ts';
import type { AttemptRecord } from '../src/schema/record.ts';

/** The judge's full report of a recorded attempt, null when it was not judged. Sealed: it holds expected values. */
export async function judgedReport(blobs: BlobPort, record: AttemptRecord): Promise<JudgeReport | null> {
  const sha256 = record.blobs['judge'];
  return sha256 === undefined ? null : JudgeReport.parse(await blobs.getJson(sha256));
}
