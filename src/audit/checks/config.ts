import { isSimulated, worldOf } from '../../schema/experiment-lock.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { recordsOf } from '../audit-sources.ts';

/** The id is that of the frozen config, whose digest was checked when it was read, its files are there, and every record says whose it is. */
export const configCheck: AuditCheck = {
  name: 'config',
  run: (sources) => {
    const { lock, missing, changed, h0 } = sources;
    const lacksH0 = missing.some((name) => name.startsWith('h0'));
    const simulated = isSimulated(lock.identity);
    const world = worldOf(lock.identity);
    const unlabelled =
      lock.identity.models.solver.provider === 'simulated' &&
      sources.tasks.some(({ policyFromKeys }) => policyFromKeys) &&
      lock.operational.policiesFromEvaluationKeys !== true;
    const label = (record: { readonly simulated: boolean; readonly world: string | null }): string =>
      record.simulated ? `simulated, world ${record.world ?? 'none'}` : 'real models';
    const foreign = recordsOf(sources).filter(
      (record) => record.experiment !== lock.id || record.simulated !== simulated || record.world !== world,
    );
    return judge(
      [
        ...(lock.id === `exp_${lock.digest.slice(0, 8)}`
          ? []
          : [`${lock.id} is not the id of ${lock.digest.slice(0, 8)}…`]),
        ...missing.map((name) => `${name} is missing`),
        ...changed.map((name) => `${name} is not what was frozen`),
        ...(h0 === lock.identity.harness || (h0 === null && lacksH0) ? [] : ['h0/ is not the harness that was frozen']),
        ...(unlabelled ? ['lock.json does not say that policies were derived from evaluation keys, its tasks do'] : []),
        ...foreign.map(
          (record) => `a record of kind ${record.kind} is labelled ${record.experiment}, ${label(record)}`,
        ),
      ],
      `sha256:${lock.digest.slice(0, 8)}… is what ${lock.id} names; every record is labelled ${label({ simulated, world })}`,
      `restore experiments/${lock.id}/ from a copy`,
    );
  },
};
