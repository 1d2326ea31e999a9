import { wordRuns } from '../../domain/word-runs.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, type AuditSources } from '../audit-sources.ts';
import { updaterBytes } from '../updater-bytes.ts';
import { runAnew } from '../run-anew.ts';

/** Consecutive words of an instruction that make a quotation. */
const quotationWords = 12;

/** No updater received an id or a passage of a selection or final task. Told after close alone: before, it would be an oracle. */
export const blindCheck: AuditCheck = {
  name: 'blind',
  run: async (sources) => {
    if (!isClosed(sources))
      return { state: 'skipped', text: 'told after close: before, it would tell what is in the sealed tasks' };
    const hidden = sources.tasks.filter(({ locked }) => locked.split !== 'feedback');
    const ids = new RegExp(
      `(?<![\\w./-])(?:${hidden.map(({ locked }) => escaped(locked.id)).join('|') || '$^'})(?![\\w/-])`,
      'g',
    );
    const known = await knownRuns(sources);
    const runs = new Map<string, string>();
    for (const { locked, instruction } of hidden) {
      for (const run of wordRuns(instruction, quotationWords)) if (!known.has(run)) runs.set(run, locked.id);
    }
    const faults: string[] = [];
    for await (const { name, bytes } of updaterBytes(sources)) {
      const text = bytes.toString('utf8');
      for (const id of new Set(text.match(ids))) faults.push(`${id} is named in ${name}`);
      const quoted = new Set(wordRuns(text, quotationWords).flatMap((run) => runs.get(run) ?? []));
      for (const id of quoted) faults.push(`the instruction of ${id} is quoted in ${name}`);
    }
    return judge(
      faults,
      `no id and no passage of ${hidden.length} selection and final tasks in updater-visible bytes`,
      `its search knew sealed tasks: do not claim ${sources.lock.id}; mend the leak, ${runAnew}`,
    );
  },
};

/** Passages that feedback tasks and H0 have too say nothing about a sealed task. */
async function knownRuns(sources: AuditSources): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { locked, instruction } of sources.tasks) {
    if (locked.split === 'feedback') for (const run of wordRuns(instruction, quotationWords)) known.add(run);
  }
  for await (const { name, bytes } of updaterBytes(sources)) {
    if (name.endsWith(' of h0')) for (const run of wordRuns(bytes.toString('utf8'), quotationWords)) known.add(run);
  }
  return known;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
