import { canonicalAttempts } from '../../domain/canonical-attempts.ts';
import { checkCoverage } from '../../domain/coverage-floor.ts';
import { splitNumbers } from '../../report/numbers/split-numbers.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, recordsOf, recordsOfKind } from '../audit-sources.ts';

/** Nothing was selected below its floor, and where a final is below its own, nothing is claimed. */
export const coverageCheck: AuditCheck = {
  name: 'coverage',
  run: (sources) => {
    const { lock } = sources;
    const { coverageFloor } = lock.identity.reporting;
    const disclosed = recordsOfKind(sources, 'query').filter(({ state }) => state === 'disclosed');
    const faults = disclosed
      .filter((query) => checkCoverage('selection', query, coverageFloor).kind === 'below_floor')
      .map(
        ({ arm, query, scored, planned }) => `${arm}: query ${query ?? ''} was disclosed at ${scored}/${planned} tasks`,
      );
    const floors = `floors ${100 * coverageFloor.selection} % selection, ${100 * coverageFloor.final} % finals`;
    const selection = `${disclosed.length} numbers disclosed, none below its floor`;
    const repair = 'that number selects nothing: do not claim the champion; anneal rejudge where a judge failed';
    if (!isClosed(sources)) return judge(faults, `${selection}; ${floors}`, repair);
    const attempts = canonicalAttempts(recordsOf(sources));
    const measured = new Set([
      lock.identity.harness,
      ...recordsOfKind(sources, 'champion').map(({ revision }) => revision),
    ]);
    const all = [...measured].map((revision) => splitNumbers(lock, attempts, revision, 'all', false));
    const below = all.filter(
      (numbers) => checkCoverage('final-in-domain', numbers, coverageFloor).kind === 'below_floor',
    );
    const finals = `${all.reduce((sum, { scored }) => sum + scored, 0)} of ${all.reduce((sum, { planned }) => sum + planned, 0)} finals scored`;
    const claim = below.length === 0 ? '' : `; below its floor, nothing is claimed of ${below.length} revisions`;
    return judge(faults, `${selection}; ${finals}${claim}; ${floors}`, repair);
  },
};
