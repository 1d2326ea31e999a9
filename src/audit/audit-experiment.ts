import { labelsOf } from '../report/layout/labels.ts';
import { isSimulated, worldOf } from '../schema/experiment-lock.ts';
import type { AuditCheck } from './audit-check.ts';
import { isClosed, type AuditSources } from './audit-sources.ts';
import { answersCheck } from './checks/answers.ts';
import { barrierCheck } from './checks/barrier.ts';
import { blobsCheck } from './checks/blobs.ts';
import { blindCheck } from './checks/blind.ts';
import { configCheck } from './checks/config.ts';
import { coverageCheck } from './checks/coverage.ts';
import { denominatorsCheck } from './checks/denominators.ts';
import { frozenCheck } from './checks/frozen.ts';
import { judgementsCheck } from './checks/judgements.ts';
import { judgesCheck } from './checks/judges.ts';
import { ledgerCheck } from './checks/ledger.ts';
import { queriesCheck } from './checks/queries.ts';
import { recordsCheck } from './checks/records.ts';
import { reportCheck } from './checks/report.ts';
import { revisionsCheck } from './checks/revisions.ts';
import { sealedCheck } from './checks/sealed.ts';

/** Every check, in the order in which they are told. */
const auditChecks: readonly AuditCheck[] = [
  configCheck,
  recordsCheck,
  ledgerCheck,
  answersCheck,
  blobsCheck,
  judgementsCheck,
  judgesCheck,
  denominatorsCheck,
  coverageCheck,
  queriesCheck,
  revisionsCheck,
  frozenCheck,
  barrierCheck,
  sealedCheck,
  blindCheck,
  reportCheck,
];

/** One check as it came out. `faults` and `repair` of a failed one alone. */
export interface AuditLine {
  readonly name: string;
  readonly state: 'ok' | 'skipped' | 'fail';
  readonly text: string;
  readonly faults: readonly string[];
  readonly repair: string | null;
}

/** `anneal audit EXP --json`, version 1. */
export interface Audit {
  readonly version: 1;
  readonly experiment: string;
  readonly simulated: boolean;
  readonly world: string | null;
  readonly labels: readonly string[];
  readonly checks: readonly AuditLine[];
  readonly failed: number;
}

/** Run every check over one experiment; a check that cannot go on has failed. Reads only. */
export async function auditExperiment(sources: AuditSources): Promise<Audit> {
  const checks: AuditLine[] = [];
  for (const check of auditChecks) checks.push(await lineOf(check, sources));
  const { lock } = sources;
  return {
    version: 1,
    experiment: lock.id,
    simulated: isSimulated(lock.identity),
    world: worldOf(lock.identity),
    labels: labelsOf(lock),
    checks,
    failed: checks.filter(({ state }) => state === 'fail').length,
  };
}

/** Until the experiment is closed, what is wrong with an attempt on a selection or final task is a count. */
function tellable(faults: readonly string[], sources: AuditSources): readonly string[] {
  if (isClosed(sources)) return faults;
  const hidden = sources.lock.identity.tasks.filter(({ split }) => split !== 'feedback').map(({ id }) => id);
  const told = faults.filter((fault) => !hidden.some((id) => fault.includes(id)));
  const sealed = faults.length - told.length;
  return sealed === 0 ? faults : [...told, `${sealed} of sealed attempts, told in full after close`];
}

async function lineOf({ name, run }: AuditCheck, sources: AuditSources): Promise<AuditLine> {
  try {
    const found = await run(sources);
    if (found.state !== 'fail') return { name, ...found, faults: [], repair: null };
    const { state, repair } = found;
    const faults = tellable(found.faults, sources);
    return { name, state, text: faults[0] ?? '', faults, repair };
  } catch (error) {
    const what = `it could not be checked: ${error instanceof Error ? error.message : String(error)}`;
    return { name, state: 'fail', text: what, faults: [what], repair: 'restore what is named above, then audit again' };
  }
}
