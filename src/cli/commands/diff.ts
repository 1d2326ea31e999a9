import type { Command } from '@commander-js/extra-typings';
import type { NamedRevision } from '../../report/revisions.ts';
import { harnessFileNames } from '../../schema/harness.ts';
import { experimentDirectory } from '../../services/data-home/experiment-directory.ts';
import { readRecords } from '../../services/data-home/read-records.ts';
import type { CommandContext } from '../context.ts';
import { colouredDiff } from '../coloured-diff.ts';
import { findRevision } from '../find-revision.ts';
import { parseRange } from '../parse-range.ts';

/** `anneal diff [EXP] REV..REV`. */
export function addDiff(program: Command, context: CommandContext): void {
  program
    .command('diff')
    .summary('what a revision changed')
    .description(
      'Show the difference between two revisions of the harness: h0, cand-1, cand-2, …, gated or bestEvolved; with ' +
        'several arms ace/cand-1. Without a range: h0..gated.',
    )
    .argument('[experiment-and-range...]', 'an experiment (the newest without it) and FROM..TO')
    .action(async (words) => {
      const home = context.existingHome();
      const { experiment, from, to } = parseRange(words);
      const lock = context.experiment(home, experiment);
      const records = readRecords(experimentDirectory(home, lock.id));
      const before = findRevision(lock, records, from);
      const after = findRevision(lock, records, to);
      const { terminal, dependencies } = context;
      const text = await dependencies.diff(home, before.commit, after.commit);
      const changed = harnessFileNames.filter((name) => text.includes(`b/${name}`));
      const same = harnessFileNames.filter((name) => !changed.includes(name));
      if (text !== '') terminal.print(colouredDiff(text, terminal.palette));
      const told = ({ arm, name, digest }: NamedRevision): string =>
        `${arm !== null && lock.identity.arms.length > 1 ? `${arm}/` : ''}${name} (sha256:${digest.slice(0, 8)}…)`;
      terminal.print(
        `${lock.id}  ${told(before)} to ${told(after)}     ${same.length === 0 ? 'every file changed' : `unchanged: ${same.join(', ')}`}`,
      );
      context.labels(lock);
      context.next(`anneal report ${lock.id}`);
    });
}
