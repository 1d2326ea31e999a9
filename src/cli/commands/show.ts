import type { Command } from '@commander-js/extra-typings';
import type { AttemptStory, ToldAttempt } from '../../report/attempt/attempt-story.ts';
import { countText } from '../../report/layout/number-text.ts';
import { renderAttempt } from '../../report/attempt/render-attempt.ts';
import type { ExperimentLock } from '../../schema/experiment-lock.ts';
import type { DataHome } from '../../services/data-home/data-home.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';
import { tellAttempts } from '../tell-attempts.ts';

/** `anneal show ATTEMPT`. */
export function addShow(program: Command, context: CommandContext): void {
  program
    .command('show')
    .summary("one attempt's life: restarts, calls, commands, outcome and why")
    .description(
      'Tell what became of an attempt: its restarts and leases, every request with tokens reported and charged, the ' +
        'commands, how it ended and why, each criterion. An attempt is the start of its key, or its task; `#2` shows the ' +
        'second epoch alone. Selection and final tasks stay sealed until the experiment is closed.',
    )
    .argument('<attempt>', 'the start of its key, or its task')
    .option('-e, --experiment <experiment>', 'where it is looked for; the newest without it')
    .option('--open-sealed', 'open a sealed attempt before the experiment is closed; that is put on record')
    .addOption(jsonOption())
    .action(async (wanted, { experiment, openSealed = false, json = false }) => {
      const home = context.existingHome();
      const lock = context.experiment(home, experiment);
      const open = (attempts: readonly ToldAttempt[]): Promise<void> => recordOpening(context, home, lock, attempts);
      const stories = await tellAttempts(context, home, lock, wanted, openSealed ? open : null);
      if (json) context.printJson(stories.length === 1 ? stories[0] : stories);
      else show(context, lock, stories);
    });
}

/** First on record, then shown: without the gateway nothing is opened. */
async function recordOpening(
  context: CommandContext,
  home: DataHome,
  lock: ExperimentLock,
  attempts: readonly ToldAttempt[],
): Promise<void> {
  await context.withEngine(home, async (engine) => {
    for (const { key, task } of attempts) {
      const split = lock.identity.tasks.find(({ id }) => id === task)?.split ?? 'unknown';
      await engine.recordExposure(lock, { attempt: key, epoch: 0, split, now: context.dependencies.clock() });
    }
  });
  context.terminal.narrate(
    `opened ${countText(attempts.length, 'sealed attempt')} of ${lock.id}; this is on record and in its report`,
  );
}

function show(context: CommandContext, lock: ExperimentLock, stories: readonly AttemptStory[]): void {
  const { terminal } = context;
  const { columns, palette } = terminal;
  terminal.print(stories.map((story) => renderAttempt(story, { columns, palette })).join('\n\n'));
  const [first] = stories;
  context.next(`anneal audit ${lock.id}     anneal show ${first?.key.slice(0, 12) ?? ''} --json`);
}
