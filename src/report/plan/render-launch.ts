import { moneyText } from '../../domain/money-text.ts';
import { isSimulated, worldOf, type ExperimentLock } from '../../schema/experiment-lock.ts';
import type { ModelSettings } from '../../schema/experiment-config.ts';
import { simulatedLabel } from '../../schema/world.ts';
import { Split } from '../../schema/splits.ts';
import { labelsOf } from '../layout/labels.ts';
import { countText, spanText, tokensText } from '../layout/number-text.ts';
import { plainPalette, type Palette } from '../layout/palette.ts';
import { capShare, capWarnings } from './cap-lines.ts';
import type { PlannedCap } from './plan-estimate.ts';

/** What `anneal run` found: a new experiment, one under way that it joins, or one that is closed. */
export interface Launch {
  readonly start: 'started' | 'attached' | 'closed';
  /** Attempts on record that are not run again. */
  readonly kept: number;
  /** Caps over the whole experiment, as `--dry-run` plans them; none of one that is closed. */
  readonly caps: readonly PlannedCap[];
}

/** What was frozen and what it may spend, as `anneal run` shows it before anything else. */
export function renderLaunch(lock: ExperimentLock, launch: Launch, palette: Palette = plainPalette): string {
  const { id, digest, identity, operational } = lock;
  const { arm, attempt } = identity.budgets;
  const line = (label: string, text: string): string => `${palette.dim(label.padEnd(12))}${text}`;
  const groups = new Set(identity.tasks.map(({ leakageGroup }) => leakageGroup)).size;
  return [
    line(
      'experiment',
      `${palette.bold(id)}  ${identity.name} on h0 (sha256:${identity.harness.slice(0, 8)}…)     config sha256:${digest.slice(0, 8)}…`,
    ),
    ...labelsOf(lock).map((label) => line('', palette.yellow(label))),
    line('splits', splitsText(lock)),
    line('', `${countText(groups, 'leakage group')}, none in two splits`),
    line(
      'arms',
      `${identity.arms.map(({ name, updater }) => (name === updater ? name : `${name} (${updater})`)).join(', ')}     ${modelsText(lock)}`,
    ),
    line(
      'budget',
      `per arm ${tokensText(arm.updaterTokens)} updater tokens, ${countText(arm.candidates, 'candidate')}, ${countText(arm.selectionQueries, 'selection query', 'selection queries')}, ${spanText(arm.searchHours * 3_600_000)}`,
    ),
    line(
      '',
      `per attempt ${countText(attempt.calls, 'call')}, ${tokensText(attempt.tokens)} tokens, ${attempt.wallSeconds.min} to ${attempt.wallSeconds.max} s     ${countText(operational.lanes, 'lane')}`,
    ),
    ...capParts(identity.budgets).map((text) => line('', text)),
    ...launch.caps.flatMap(capShare).map((text) => line('', text)),
    ...launch.caps.flatMap(capWarnings).map((text) => line('', palette.red(text))),
    line(launch.start, startText(lock, launch)),
  ].join('\n');
}

function splitsText({ identity }: ExperimentLock): string {
  const [feedback, selection, inDomain, crossOffice] = Split.options.map(
    (split) => identity.tasks.filter((task) => task.split === split).length,
  );
  return `feedback ${feedback} · selection ${selection} · final ${inDomain} in-domain + ${crossOffice} cross-office (sealed)`;
}

function modelsText({ identity }: ExperimentLock): string {
  const name = (model: ModelSettings): string =>
    model.provider === 'simulated'
      ? `simulated ${simulatedLabel(model.world, model.faults)}`
      : `${model.model} at ${model.baseUrl}`;
  const { solver, updater } = identity.models;
  if (isSimulated(identity) && name(solver) === name(updater))
    return `models simulated, world ${worldOf(identity) ?? ''}`;
  return `solver ${name(solver)} · updater ${name(updater)}`;
}

function startText({ id }: ExperimentLock, { start, kept }: Launch): string {
  if (start === 'closed')
    return 'this experiment is finished; here is its report     another seed: in its file makes another one';
  const work = kept === 0 ? '' : `${countText(kept, 'attempt')} on record stand and are not paid again     `;
  return `${work}watch: anneal watch ${id}`;
}

/** Caps over the whole experiment; nothing without any. */
function capParts({ experiment }: ExperimentLock['identity']['budgets']): string[] {
  const parts = [
    ...(experiment?.moneyUsd === undefined ? [] : [`${moneyText(experiment.moneyUsd * 1e6)} over all roles`]),
    ...(experiment?.solverTokens === undefined ? [] : [`${tokensText(experiment.solverTokens)} solver tokens`]),
  ];
  return parts.length === 0 ? [] : [`altogether at most ${parts.join(' and ')}, the finals' part held back first`];
}
