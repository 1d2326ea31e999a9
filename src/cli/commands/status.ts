import { existsSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { countText } from '../../report/layout/number-text.ts';
import { renderStatus } from '../../report/status/render-status.ts';
import { sinceLastLook } from '../../report/status/since-last-look.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { DataHome } from '../../services/data-home/data-home.ts';
import type { Engine, ServiceState } from '../../services/engine.ts';
import type { LeftBehind } from '../../services/processes/left-behind.ts';
import { isExperimentClosed } from '../../services/data-home/experiment-closed.ts';
import { listExperiments } from '../../services/data-home/experiment-directory.ts';
import type { CommandContext } from '../context.ts';
import { takeLastLook } from '../last-look.ts';
import { experimentHelp, jsonOption } from '../options.ts';
import { readStatus, type Look } from '../read-status.ts';

/** `anneal status [EXP]`; without one, and as bare `anneal`, what is going on in this folder. */
export function addStatus(program: Command, context: CommandContext): void {
  program
    .command('status')
    .summary('what runs here, what happened, what needs you')
    .description(
      'Show an experiment: phase, attempts, budgets used and left, what happened since you last looked, what needs ' +
        'you. Plain `anneal` shows this folder: its services and the experiment that is open, else the newest.',
    )
    .argument('[experiment]', experimentHelp)
    .addOption(jsonOption())
    .action(async (wanted, { json = false }) => {
      const home = context.home();
      const locks = existsSync(home.root) ? listExperiments(home) : [];
      context.tellDamage(home);
      if (locks.length === 0 && wanted === undefined) await showEmpty(context, home, json);
      else await showExperiment(context, home, chosen(context, home, locks, wanted), wanted === undefined, json);
    });
}

/** Without a wish the newest open one comes before a newer closed one. */
function chosen(
  context: CommandContext,
  home: DataHome,
  locks: readonly ExperimentLock[],
  wanted: string | undefined,
): ExperimentLock {
  const open = wanted === undefined ? locks.find(({ id }) => !isExperimentClosed(home, id)) : undefined;
  return open ?? context.experiment(context.existingHome(), wanted);
}

async function showEmpty(context: CommandContext, home: DataHome, json: boolean): Promise<void> {
  if (json) {
    context.printJson({ version: 1, home: home.root, experiment: null });
    return;
  }
  const here = existsSync(home.root) ? `no experiment yet in ${home.root}` : 'no experiment in this folder yet';
  context.terminal.print(`${here}     try the whole protocol without key or cost, or run a file of yours`);
  context.next('anneal demo     anneal run FILE     anneal --help');
}

async function showExperiment(
  context: CommandContext,
  home: DataHome,
  lock: ExperimentLock,
  folder: boolean,
  json: boolean,
): Promise<void> {
  const { terminal, dependencies } = context;
  const { status, records, services } = await context.withEngine(home, (engine) => lookAround(context, engine, lock));
  if (json) {
    context.printJson({ ...status, home: home.root, services });
    return;
  }
  const now = dependencies.clock();
  const since = takeLastLook(home, lock.id, now);
  const news = since === null ? null : sinceLastLook(records, since, now);
  if (folder) terminal.print(`${terminal.palette.dim(home.root)}   ${servicesText(services)}`);
  if (news !== null) terminal.print(news);
  terminal.print(renderStatus(status, terminal));
  const others = listExperiments(home).length - 1;
  context.next(`${status.next}${folder && others > 0 ? `     ${others} more: anneal list` : ''}`);
}

/** A look at one experiment, and at what a workflow that is gone left running in this folder. */
async function lookAround(context: CommandContext, engine: Engine, lock: ExperimentLock): Promise<Look> {
  const [look, orphans] = await Promise.all([readStatus(context, engine, lock), engine.leftBehind()]);
  if (orphans.length === 0) return look;
  const what = `${countText(orphans.length, 'keeper')} of ${leftBy(orphans)} left running`;
  const needs = [...look.status.needs, { what, command: 'anneal down' }];
  return { ...look, status: { ...look.status, needs } };
}

function leftBy(orphans: readonly LeftBehind[]): string {
  const known = new Set(orphans.flatMap(({ experiment }) => experiment ?? []));
  return known.size === 0 ? 'no experiment' : [...known].join(', ');
}

function servicesText(services: readonly ServiceState[]): string {
  return services.map(({ name, state }) => `${name} ${state}`).join(' · ');
}
