import type { Command } from '@commander-js/extra-typings';
import { AnnealError } from '../../domain/errors.ts';
import { countText } from '../../report/layout/number-text.ts';
import { textTable } from '../../report/layout/text-table.ts';
import type { ReplayResult } from '../../services/task-packs/audit-tasks.ts';
import { createDataHome } from '../../services/data-home/data-home.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';

/** `anneal tasks audit [DIR]`. */
export function addTasks(program: Command, context: CommandContext): void {
  program
    .command('tasks')
    .summary('look after task directories')
    .description('Look after task directories.')
    .command('audit')
    .summary('replay reference, empty, corrupt and trap outputs through every judge')
    .description(
      'Put known outputs through the judge of every task: the reference must earn 1, empty and corrupt outputs 0, ' +
        'unmodified inputs at most the preservation weight, a trap what the task declares.',
    )
    .argument('[directory]', 'folder of task directories; the built-in pack without it')
    .addOption(jsonOption())
    .action(async (directory, { json = false }) => {
      const home = context.home();
      createDataHome(home);
      const replays = await context.dependencies.auditTasks(directory, home, (line) => context.terminal.narrate(line));
      if (json) context.printJson(replays);
      else show(context, replays);
      const failed = replays.filter(({ ok }) => !ok).length;
      if (failed > 0) {
        const pack = directory ?? 'office-mini';
        throw new AnnealError('ANL-1204', { failed, total: replays.length, pack });
      }
      if (!json) context.next('anneal run FILE');
    });
}

function show({ terminal }: CommandContext, replays: readonly ReplayResult[]): void {
  const failed = replays.filter(({ ok }) => !ok);
  if (failed.length > 0) {
    terminal.print(
      textTable(
        failed.map(({ task, replay, misses }) => [terminal.palette.red('FAIL'), task, replay, misses.join('; ')]),
      ),
    );
  }
  const tasks = new Set(replays.map(({ task }) => task)).size;
  const passed = replays.length - failed.length;
  terminal.print(
    `${countText(tasks, 'task')}, ${countText(replays.length, 'replay')}: ${passed} as declared, ${failed.length} not`,
  );
}
