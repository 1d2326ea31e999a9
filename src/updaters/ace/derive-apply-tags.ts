import { codeUnitOrder } from '../../domain/code-unit-order.ts';
import { utf8Length } from '../../domain/utf8-length.ts';
import type { DeriveFunction } from '../derive-function.ts';
import { limitFindings } from '../limit-findings.ts';
import type { Finding } from '../step-machine.ts';
import { countTags, readTags } from './counters.ts';
import { parsePlaybook } from './parse-playbook.ts';
import { readJsonObject } from './read-json-object.ts';
import { renderPlaybook } from './render-playbook.ts';
import { withUniqueIds } from './unique-ids.ts';

/**
 * `ace.apply-tags`: text `playbook` and any number of reflections (parsed `ace.reflection/1`) under names that start
 * with `reflection`, counted in the order of their names. Gives text `playbook` and value {counted, unknown}. Counters
 * that would take the playbook over parameter playbookBytes are not written.
 */
export const deriveApplyTags: DeriveFunction = ({ texts, parameters }) => {
  const { playbook: playbookText, ...others } = texts;
  if (playbookText === undefined) {
    return { kind: 'invalid', findings: [{ code: 'input-missing', text: 'playbook' }] };
  }
  const findings: Finding[] = [];
  let playbook = withUniqueIds(parsePlaybook(playbookText));
  let counted = 0;
  let unknown = 0;
  for (const name of Object.keys(others)
    .filter((key) => key.startsWith('reflection'))
    .toSorted(codeUnitOrder)) {
    const read = readTags(readJsonObject(others[name] ?? '')['bullet_tags']);
    findings.push(...read.findings.map(({ code, text }) => ({ code, text: `${name}: ${text}` })));
    const step = countTags(playbook, read.tags);
    playbook = step.playbook;
    counted += step.counted;
    unknown += step.unknown;
  }
  const rendered = renderPlaybook(playbook);
  const cap = typeof parameters['playbookBytes'] === 'number' ? parameters['playbookBytes'] : 65_536;
  const fits = utf8Length(rendered) <= cap;
  if (counted > 0 && !fits)
    findings.unshift({ code: 'counters-refused', text: `the playbook is at its cap of ${cap} bytes` });
  return {
    kind: 'ok',
    texts: { playbook: counted > 0 && fits ? rendered : playbookText },
    value: { counted: fits ? counted : 0, unknown },
    findings: limitFindings(findings),
  };
};
