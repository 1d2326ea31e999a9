import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { countText } from '../../report/layout/number-text.ts';
import type { ImportReport } from '../../schema/import-report.ts';
import { createDataHome } from '../../services/data-home/data-home.ts';
import { refuseKeptFolder } from '../../services/data-home/refuse-kept-folder.ts';
import { requireWritable } from '../../services/data-home/require-writable.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption, parseFolder } from '../options.ts';

/** `anneal import officebench PATH --out DIR`. */
export function addImport(program: Command, context: CommandContext): void {
  program
    .command('import')
    .summary('turn other benchmarks into task directories')
    .description('Turn the tasks of another benchmark into task directories.')
    .command('officebench')
    .summary('import OfficeBench tasks')
    .description(
      'Convert an OfficeBench checkout. Every task is replayed first: those that no output can satisfy, or that an ' +
        'empty output already satisfies, go to quarantine/ with the reason in import-report.json.',
    )
    .argument('<path>', 'OfficeBench checkout, or its tasks folder')
    .requiredOption('--out <directory>', 'folder for the task directories; must not exist', parseFolder)
    .addOption(jsonOption('print the import report as JSON'))
    .action(async (path, { out, json = false }) => {
      const { terminal, dependencies } = context;
      const home = context.home();
      const at = (name: string): string => resolve(dependencies.workingDirectory, name);
      const request = { source: at(path), out: at(out), home };
      refuseKeptFolder(home, request.out, null);
      requireWritable(dirname(request.out));
      createDataHome(home);
      const report = await dependencies.importOfficeBench(request, (line) => terminal.narrate(line));
      if (json) context.printJson(report);
      else show(context, report, out);
    });
}

function show(context: CommandContext, { totals, source }: ImportReport, out: string): void {
  const { terminal, dependencies } = context;
  const byModality = Object.entries(totals.listedByModality).map(([modality, count]) => `${count} ${modality}`);
  const refused = Object.entries(totals.quarantinedBy).filter(([, count]) => count > 0);
  terminal.print(
    `${source.project} ${source.revision.slice(0, 12)} (${source.licence})     ${countText(totals.tasks, 'task')} read`,
  );
  terminal.print(`${totals.listed} usable: ${byModality.join(', ')}`);
  if (refused.length > 0) {
    const reasons = refused.map(([reason, count]) => `${count} ${reason}`).join(', ');
    terminal.print(`${totals.tasks - totals.listed} in quarantine: ${reasons}     see ${out}/import-report.json`);
  }
  if (existsSync(resolve(dependencies.workingDirectory, out, 'splits.yaml')))
    terminal.print(`splits proposed in ${out}/splits.yaml`);
  context.next(`anneal tasks audit ${out}     then name the folder under tasks: in an experiment file`);
}
