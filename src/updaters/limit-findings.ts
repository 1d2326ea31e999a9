import type { Finding } from './step-machine.ts';

const most = 20;
const longest = 200;

/** At most 20 findings of at most 200 characters each, so that results stay small; the rest is counted. */
export function limitFindings(findings: readonly Finding[]): Finding[] {
  const shown = findings.slice(0, most).map(({ code, text }) => ({ code, text: text.slice(0, longest) }));
  const left = findings.length - shown.length;
  return left === 0 ? shown : [...shown, { code: 'findings-left-out', text: `${left} more` }];
}
