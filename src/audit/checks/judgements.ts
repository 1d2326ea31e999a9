import { canonicalJson } from '../../domain/canonical-json.ts';
import { attemptEffects } from '../../domain/effect-keys.ts';
import { judgedIn } from '../../domain/judged-in.ts';
import { joinJudgement, rewardOf, type JudgeEnd } from '../../domain/outcome.ts';
import { JudgeReport } from '../../schema/judgement.ts';
import type { Outcome } from '../../schema/outcome.ts';
import type { AttemptRecord, JudgementRecord } from '../../schema/record.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { attemptName } from '../attempt-name.ts';
import { isClosed, recordsOfKind, type AuditSources } from '../audit-sources.ts';
import { runAnew } from '../run-anew.ts';

/**
 * Every score and every word of its judge is what its judge.json says, joined with how its run ended, and what the ledger
 * booked at the time; so are time, sandbox and blobs of its run.
 */
export const judgementsCheck: AuditCheck = {
  name: 'judgements',
  run: async (sources) => {
    const attempts = recordsOfKind(sources, 'attempt');
    const judgements = recordsOfKind(sources, 'judgement');
    const faults: string[] = [];
    for (const attempt of attempts) {
      faults.push(...bookedFaults(sources, attempt), ...(await scoreFaults(sources, attempt, attempt.runClass)));
    }
    for (const judgement of judgements) {
      const attempt = attempts.find(({ key, epoch }) => key === judgement.key && epoch === judgement.epoch);
      if (attempt === undefined) faults.push(`${attemptName(judgement)} was judged again and has no attempt`);
      else if (rewardOf(attempt.outcome) !== null)
        faults.push(`${attemptName(judgement)} had a score and was judged again`);
      else faults.push(...(await scoreFaults(sources, judgement, attempt.runClass)));
    }
    const scored = [...attempts, ...judgements].filter(({ outcome }) => rewardOf(outcome) !== null).length;
    return judge(
      faults,
      `${scored} scores equal their judge.json, their run and what was booked`,
      `do not use these numbers; restore the data home from a copy, or ${runAnew}`,
    );
  },
};

/** What a run left, as its record has it; parts of a judge stand beside those of the run. */
const runFields = ['wallMs', 'sandbox'] as const;
const runParts = ['phases', 'cpuMs', 'blobs'] as const;

/** The same outcome, run class, usage and measures of the run stand in the effects of the ledger. */
function bookedFaults(sources: AuditSources, attempt: AttemptRecord): string[] {
  const { ledger } = sources;
  const { key, epoch, outcome, runClass, usage } = attempt;
  const recorded = ledger.effect(attemptEffects.recorded(key, epoch));
  const run = ledger.effect(attemptEffects.run(key, epoch));
  const judged = ledger.effect(attemptEffects.judge(key, epoch));
  const differs = (booked: unknown, field: string, value: unknown): boolean =>
    typeof booked !== 'object' ||
    booked === null ||
    canonicalJson((booked as Record<string, unknown>)[field]) !== canonicalJson(value);
  return [
    // An outcome is booked right after its record: of an open experiment the last ones may be on their way.
    ...((recorded !== null || isClosed(sources)) && differs(recorded, 'outcome', outcome) ? ['outcome'] : []),
    ...(differs(run, 'runClass', runClass) ? ['run class'] : []),
    ...(differs(run, 'usage', usage) ? ['usage'] : []),
    ...runFields.filter((field) => differs(run, field, attempt[field])),
    ...runParts.filter((field) => !holds(attempt[field], (run as Partial<AttemptRecord> | null)?.[field])),
    ...(attempt.judges !== null && differs(judged, 'report', attempt.blobs['judge'] ?? null) ? ['judgement'] : []),
  ].map((what) => `${attemptName(attempt)}: its ${what} is not what was booked`);
}

/** Whether every entry of a part stands in the whole. */
function holds(whole: Readonly<Record<string, unknown>>, part: Readonly<Record<string, unknown>> = {}): boolean {
  return Object.entries(part).every(([name, value]) => whole[name] === value);
}

async function scoreFaults(
  { blob, sha256 }: AuditSources,
  record: AttemptRecord | JudgementRecord,
  runClass: AttemptRecord['runClass'],
): Promise<string[]> {
  const faults: string[] = [];
  for (const [role, digest] of Object.entries(record.blobs)) {
    const bytes = await blob(digest);
    if (bytes === null || sha256(bytes) !== digest)
      faults.push(`${attemptName(record)}: its ${role} is missing or changed`);
  }
  const reward = rewardOf(record.outcome);
  if (faults.length > 0 || reward === null) return faults;
  const { judge: digest } = record.blobs;
  const bytes = digest === undefined ? null : await blob(digest);
  const report = bytes === null ? null : JudgeReport.safeParse(JSON.parse(bytes.toString('utf8')));
  if (report !== null && !report.success) return [`${attemptName(record)}: its judge.json cannot be read`];
  // Outputs that killed a sound judge score 0 without a report.
  const verdict = report?.data.reward ?? 0;
  const expected = joinJudgement(runClass, { kind: 'judged', reward: verdict } as JudgeEnd);
  return [
    ...(canonicalJson(expected) === canonicalJson(record.outcome)
      ? []
      : [
          `${attemptName(record)}: ${said(record.outcome)} on record, its judge.json and its run give ${said(expected)}`,
        ]),
    ...(canonicalJson(record.judged) === canonicalJson(judgedIn(report?.data ?? null))
      ? []
      : [`${attemptName(record)}: what its judge said is not what its judge.json says`]),
  ];
}

function said(outcome: Outcome): string {
  return `${outcome.kind} ${rewardOf(outcome) ?? ''}`.trim();
}
