import { limitFindings } from '../limit-findings.ts';
import type { DeriveFunction } from '../derive-function.ts';
import { applyDelta } from './apply-delta.ts';
import { parsePlaybook } from './parse-playbook.ts';
import { readJsonObject } from './read-json-object.ts';
import { renderPlaybook } from './render-playbook.ts';
import { withUniqueIds } from './unique-ids.ts';

/**
 * `ace.apply-delta`: texts `playbook` and `curation` (a parsed `ace.curation/1`), parameters curatorOps, playbookBytes,
 * nextId. Gives text `playbook` and value {nextId, applied, refused}. A curation without operations changes nothing.
 */
export const deriveApplyDelta: DeriveFunction = ({ texts, parameters, leakTerms }) => {
  const { playbook: playbookText, curation } = texts;
  const { curatorOps, playbookBytes, nextId } = parameters;
  if (playbookText === undefined || curation === undefined) {
    return { kind: 'invalid', findings: [{ code: 'input-missing', text: 'playbook or curation' }] };
  }
  const operations = readJsonObject(curation)['operations'];
  const outcome = applyDelta(withUniqueIds(parsePlaybook(playbookText)), Array.isArray(operations) ? operations : [], {
    curatorOps: Array.isArray(curatorOps) ? curatorOps.filter((entry) => typeof entry === 'string') : ['ADD'],
    playbookBytes: typeof playbookBytes === 'number' ? playbookBytes : 65_536,
    nextId: typeof nextId === 'number' ? nextId : 1,
    leakTerms,
  });
  const findings = Array.isArray(operations)
    ? outcome.findings
    : [{ code: 'curation-invalid', text: 'operations is no list' }, ...outcome.findings];
  return {
    kind: 'ok',
    // Untouched bytes where nothing was applied: an unchanged playbook keeps its digest.
    texts: { playbook: outcome.applied > 0 ? renderPlaybook(outcome.playbook) : playbookText },
    value: { nextId: outcome.nextId, applied: outcome.applied, refused: outcome.refused },
    findings: limitFindings(findings),
  };
};
