import type { Command } from '@commander-js/extra-typings';
import type { Audit, AuditLine } from '../../audit/audit-experiment.ts';
import { countText } from '../../report/layout/number-text.ts';
import type { CommandContext } from '../context.ts';
import { experimentHelp, jsonOption } from '../options.ts';

/** Faults of one check that are written out. */
const faultsShown = 3;

/** `anneal audit [EXP]`. */
export function addAudit(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .summary('check an experiment against its own records')
    .description(
      'Check what an experiment claims: the ledger against the records, judgements against judge.json, denominators, ' +
        'coverage floors, queries against their cap, finals against the frozen digests, and every byte that an updater ' +
        'saw against the barrier and the canaries of sealed files. Changes no record, no service has to run; reports ' +
        'then say when the audit was and which records it covered. Exit code 6 with the repair named when a check fails.',
    )
    .argument('[experiment]', experimentHelp)
    .addOption(jsonOption())
    .action(async (wanted, { json = false }) => {
      const home = context.existingHome();
      const lock = context.experiment(home, wanted);
      const audit = await context.dependencies.audit(home, lock);
      if (audit.failed > 0) context.exitCode = 6;
      if (json) context.printJson(audit);
      else show(context, audit);
    });
}

function show(context: CommandContext, audit: Audit): void {
  const { terminal } = context;
  const width = Math.max(...audit.checks.map(({ name }) => name.length));
  for (const label of audit.labels) terminal.print(terminal.palette.yellow(label));
  for (const line of audit.checks) {
    terminal.print(`${wordOf(context, line)} ${line.name.padEnd(width)}  ${line.text}`);
    const indent = ' '.repeat(width + 7);
    for (const fault of line.faults.slice(1, faultsShown)) terminal.print(`${indent}${fault}`);
    if (line.faults.length > faultsShown) {
      terminal.print(`${indent}… ${line.faults.length - faultsShown} more with --json`);
    }
    if (line.repair !== null) terminal.print(`${indent}${terminal.palette.dim('repair')} ${line.repair}`);
  }
  const { failed, checks, experiment } = audit;
  const skipped = checks.filter(({ state }) => state === 'skipped').length;
  terminal.print(
    failed > 0
      ? `${failed} of ${countText(checks.length, 'check')} failed: do not claim the numbers of ${experiment}, its report stays marked “unaudited” (exit 6)`
      : `${countText(checks.length - skipped, 'check')} ok${skipped === 0 ? '' : `, ${skipped} after close`}`,
  );
  context.next(failed > 0 ? `anneal audit ${experiment}     after the repairs above` : `anneal report ${experiment}`);
}

function wordOf({ terminal }: CommandContext, { state }: AuditLine): string {
  const { palette } = terminal;
  switch (state) {
    case 'ok':
      return palette.green('ok  ');
    case 'skipped':
      return palette.dim('-   ');
    case 'fail':
      return palette.red('FAIL');
  }
}
