import { Command } from '@commander-js/extra-typings';
import { addAudit } from './commands/audit.ts';
import { addCancel } from './commands/cancel.ts';
import { addClose } from './commands/close.ts';
import { addDemo } from './commands/demo.ts';
import { addDiff } from './commands/diff.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDown } from './commands/down.ts';
import { addImport } from './commands/import.ts';
import { addList } from './commands/list.ts';
import { addLogs } from './commands/logs.ts';
import { addPause } from './commands/pause.ts';
import { addRejudge } from './commands/rejudge.ts';
import { addReport } from './commands/report.ts';
import { addResume } from './commands/resume.ts';
import { addRun } from './commands/run.ts';
import { addShow } from './commands/show.ts';
import { addStatus } from './commands/status.ts';
import { addTasks } from './commands/tasks.ts';
import { addUp } from './commands/up.ts';
import { addWatch } from './commands/watch.ts';
import { describeHelp } from './describe-help.ts';
import type { CommandContext } from './context.ts';

const closing = `
Plain \`anneal\` shows what runs in this folder. An experiment is named by its id, a
prefix of it, or its name; without one the newest is meant. Results go to standard
output, narration to standard error.

Everything lives in the data home: ANNEAL_HOME, else the nearest .anneal at or above
this folder.

Exit codes:
    0  complete                         4  a budget ended it
    2  bad input                        5  a service is missing
    3  coverage is below its floor      6  integrity is broken
    7  cancelled on request           130  left by Ctrl-C or q, it goes on
  141  the reader of its output left, as in \`anneal show | head -1\`

Start here:
  anneal demo                      the whole protocol in minutes: no key, no cost
  anneal run experiments/ace.yaml  with a real model
  anneal run --help                more on a command`;

/** The command line: one command a file, in the order in which a newcomer meets them. */
export function createProgram(context: CommandContext): Command {
  const program: Command = new Command('anneal');
  program
    .description('Self-improvement experiments on agent harnesses whose numbers can be believed.')
    .version(context.dependencies.version, '-V, --version', 'print the version')
    .option('--debug', 'show the stack of an error')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .addHelpText('after', closing)
    .showSuggestionAfterError(true)
    .exitOverride();
  program.commandsGroup('Run:');
  addDemo(program, context);
  addRun(program, context);
  program.commandsGroup('Look:');
  addStatus(program, context);
  addWatch(program, context);
  addReport(program, context);
  addDiff(program, context);
  addShow(program, context);
  addAudit(program, context);
  addList(program, context);
  addLogs(program, context);
  program.commandsGroup('Steer:');
  addPause(program, context);
  addResume(program, context);
  addCancel(program, context);
  addRejudge(program, context);
  addClose(program, context);
  program.commandsGroup('Set up:');
  addUp(program, context);
  addDown(program, context);
  addDoctor(program, context);
  program.commandsGroup('Tasks:');
  addTasks(program, context);
  addImport(program, context);
  describeHelp(program);
  return program;
}
