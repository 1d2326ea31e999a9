import { attemptSeed } from '../domain/seed.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { updaterCallLimits } from '../domain/updater-call-limits.ts';
import { experimentRegistration } from '../schema/experiment-registration.ts';
import { ModelBinding } from '../schema/model-binding.ts';
import type { Role } from '../schema/lease.ts';
import { isClosed, recordsOfKind, type AuditSources } from './audit-sources.ts';

/** What the gateway held an experiment to is what was frozen: contents, models, prices, limits of all, limits and seed of each lease. */
export function registrationFaults(sources: AuditSources): string[] {
  const { lock, ledger, stored } = sources;
  if (stored.length === 0 && ledger.epochs(lock.id).length === 0) return [];
  return [...registeredFaults(sources), ...limitFaults(sources), ...leaseFaults(sources)];
}

function registeredFaults(sources: AuditSources): string[] {
  const { lock, ledger } = sources;
  const registered = ledger.registered(lock.id);
  if (registered === null) return [`${lock.id} is not registered in the ledger`];
  const frozen = experimentRegistration(lock);
  const [prices, booked] = [frozen.prices ?? {}, registered.prices ?? {}].map((each) => canonicalJson(each));
  return [
    ...(registered.configDigest === frozen.configDigest
      ? []
      : [
          `config sha256:${frozen.configDigest.slice(0, 8)}… was frozen, the ledger has ${registered.configDigest.slice(0, 8)}…`,
        ]),
    ...(['solver', 'updater', 'judge'] as const).flatMap((role) =>
      bindingText(frozen.models[role]) === bindingText(registered.models[role])
        ? []
        : [`the ledger has another model of the ${role} than the frozen one`],
    ),
    // Prices are no part of its identity: those of an open experiment may be taken over with its next start.
    ...(prices === booked || !isClosed(sources) ? [] : ['the ledger has other prices than the frozen ones']),
  ];
}

/** A binding without the place of a file, which moves with a data home. */
function bindingText(binding: Partial<ModelBinding> | undefined): string {
  if (binding === undefined) return 'none';
  const { policies: _place, ...rest } = ModelBinding.parse(binding);
  return canonicalJson(JSON.parse(JSON.stringify(rest)));
}

function limitFaults({ lock, ledger }: AuditSources): string[] {
  const { budgets, queries, caps } = experimentRegistration(lock);
  const frozen = new Map<string, number | null>([...Object.entries(budgets), ['queries', queries]]);
  if (caps?.solverTokens !== undefined && caps.solverTokens !== null) frozen.set('solver-tokens', caps.solverTokens);
  if (caps?.microUsd !== undefined && caps.microUsd !== null) frozen.set('money', caps.microUsd);
  const registered: ReadonlyMap<string, number | null> = ledger.limits(lock.id);
  const changed = [...new Set([...frozen.keys(), ...registered.keys()])].flatMap((kind) => {
    const [was, is] = [frozen.get(kind), registered.get(kind)];
    return was === is ? [] : [`limit ${kind}: ${limitText(was)} was frozen, the ledger has ${limitText(is)}`];
  });
  const granted = ledger
    .grants(lock.id)
    .map(({ arm, kind, delta }) => `limit ${kind} of ${arm}: ${delta} more than was frozen`);
  return [...changed, ...granted];
}

function limitText(limit: number | null | undefined): string {
  return limit === undefined ? 'none at all' : limit === null ? 'no limit' : String(limit);
}

/** Each lease has the limits of its role, and its seed: an attempt that nothing is recorded of has that of some task. */
function leaseFaults(sources: AuditSources): string[] {
  const { identity } = sources.lock;
  const limits: Partial<Record<Role, { readonly calls: number; readonly tokens: number }>> = {
    solver: identity.budgets.attempt,
    updater: updaterCallLimits,
  };
  const seeds = new Map<string, number>(
    recordsOfKind(sources, 'attempt').map(({ key, task, replicate }) => [
      key,
      attemptSeed(identity.seed, task, replicate),
    ]),
  );
  const anySeed = new Set(identity.tasks.map(({ id }) => attemptSeed(identity.seed, id, 0)));
  return sources.ledger
    .epochs(sources.lock.id)
    .flatMap(({ attemptKey, epoch, role, callsLimit, tokensLimit, seed }) => {
      const name = `the lease of ${attemptKey.slice(0, 12)}#${epoch}`;
      const limit = limits[role];
      const own = role === 'updater' ? identity.seed : seeds.get(attemptKey);
      return [
        ...(limit === undefined || (limit.calls === callsLimit && limit.tokens === tokensLimit)
          ? []
          : [
              `${name}: ${limit.calls} calls and ${limit.tokens} tokens were frozen, the ledger has ${callsLimit} and ${tokensLimit}`,
            ]),
        ...(own === seed || (own === undefined && anySeed.has(seed))
          ? []
          : [`${name}: its seed is ${seed}, not ${own ?? 'that of a task'}`]),
      ];
    });
}
