import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings';
import { reportFiles, reportFormats, type ReportFormat } from '../../report/documents/report-files.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { DataHome } from '../../services/data-home/data-home.ts';
import { experimentDirectory } from '../../services/data-home/experiment-directory.ts';
import { refuseKeptFolder } from '../../services/data-home/refuse-kept-folder.ts';
import { requireWritable, writing } from '../../services/data-home/require-writable.ts';
import type { CommandContext } from '../context.ts';
import { experimentHelp, jsonOption, parseFolder } from '../options.ts';
import { printReport, readReport, type ReadReport } from '../print-report.ts';

/** `anneal report [EXP]`. */
export function addReport(program: Command, context: CommandContext): void {
  program
    .command('report')
    .summary('results of an experiment, with coverage')
    .description(
      'Print the results of an experiment. Until it is closed, final tasks are shown as counts. With --format, write ' +
        'files: md (the whole report), csv (a row per attempt), json (the report as data).',
    )
    .argument('[experiment]', experimentHelp)
    .addOption(
      new Option('--format <list>', 'write files of these kinds: md, csv, json, separated by commas').argParser(
        parseFormats,
      ),
    )
    .option(
      '-o, --output <directory>',
      "write them into this folder; the experiment's own folder without it",
      parseFolder,
    )
    .addOption(jsonOption('print the report as JSON'))
    .action((wanted, { format, output, json = false }) => {
      const home = context.existingHome();
      const lock = context.experiment(home, wanted);
      const read = readReport(context, home, lock);
      if (json) context.printJson(read.report);
      const formats = format ?? (output === undefined ? [] : [...reportFormats]);
      if (formats.length > 0) writeFiles(context, home, lock, read, formats, output);
      else if (!json) printReport(context, lock, read);
    });
}

function parseFormats(text: string): ReportFormat[] {
  return text.split(',').map((name) => {
    const format = reportFormats.find((known) => known === name.trim());
    if (format === undefined) throw new InvalidArgumentError(`formats are ${reportFormats.join(', ')}.`);
    return format;
  });
}

function writeFiles(
  context: CommandContext,
  home: DataHome,
  lock: ExperimentLock,
  { records, standing }: ReadReport,
  formats: readonly ReportFormat[],
  output: string | undefined,
): void {
  const directory = experimentDirectory(home, lock.id);
  const folder = output === undefined ? directory.reports : resolve(context.dependencies.workingDirectory, output);
  refuseKeptFolder(home, folder, directory.reports);
  requireWritable(folder);
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  for (const { name, text } of reportFiles(lock, records, standing, formats)) {
    writing(join(folder, name), () => writeFileSync(join(folder, name), text));
    context.terminal.narrate(`wrote ${join(folder, name)}`);
  }
}
