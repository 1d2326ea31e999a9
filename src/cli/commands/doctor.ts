import type { Command } from '@commander-js/extra-typings';
import { countText } from '../../report/layout/number-text.ts';
import type { Check } from '../../services/doctor/check.ts';
import { isPath } from '../../services/doctor/live-models.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';

/** `anneal doctor`. */
export function addDoctor(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('check everything anneal stands on')
    .description(
      'Check each real component and print the fix for each that fails. Without --live nothing is started or installed.',
    )
    .option(
      '--live <experiment>',
      'also make three small calls to each model of this file or stored experiment, and tell what they cost; starts the services',
    )
    .addOption(jsonOption())
    .action(async ({ json = false, live }) => {
      const { dependencies, terminal } = context;
      const checks = await context.withEngine(context.home(), async (engine) => {
        const base = await dependencies.doctor(engine);
        if (live === undefined || base.some(({ state }) => state === 'fail')) return base;
        const answers = await dependencies.doctorLive(engine, live, (line) => terminal.narrate(line));
        // The calls started what had not run: only then is there anything to look at again.
        const now = base.every(({ state }) => state === 'ok') ? base : await dependencies.doctor(engine);
        return [...now, ...answers];
      });
      const failed = checks.filter(({ state }) => state === 'fail').length;
      if (failed > 0) context.exitCode = 5;
      if (json) context.printJson(checks);
      else show(context, checks, failed, live);
    });
}

function show(context: CommandContext, checks: readonly Check[], failed: number, live: string | undefined): void {
  const { terminal } = context;
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, state, detail, fix } of checks) {
    terminal.print(`${wordOf(context, state)} ${name.padEnd(width)}  ${detail}`);
    if (fix !== null) terminal.print(`${' '.repeat(width + 7)}${terminal.palette.dim('fix')} ${fix}`);
  }
  if (failed === 0) {
    context.next(live !== undefined && isPath(live) ? `anneal run ${live}` : 'anneal demo     anneal run FILE');
    return;
  }
  terminal.print(`${failed} of ${countText(checks.length, 'check')} failed (exit 5)`);
  context.next(`anneal doctor${live === undefined ? '' : ` --live ${live}`}     after the fixes above`);
}

function wordOf({ terminal }: CommandContext, state: Check['state']): string {
  const { palette } = terminal;
  switch (state) {
    case 'ok':
      return palette.green('ok  ');
    case 'warn':
      return palette.yellow('warn');
    case 'fail':
      return palette.red('FAIL');
  }
}
