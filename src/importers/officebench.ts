import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { codeUnitOrder } from '../domain/code-unit-order.ts';
import { AnnealError } from '../domain/errors.ts';
import type { Sha256 } from '../schema/ids.ts';
import { type ImportedTask, ImportReport } from '../schema/import-report.ts';
import { Splits } from '../schema/splits.ts';
import { draftTask, type TaskDraft } from './officebench/draft-task.ts';
import { importTotals } from './officebench/import-totals.ts';
import { inspectSource } from './officebench/inspect-source.ts';
import { leakageGroups, type LeakageGroup } from './officebench/leakage-groups.ts';
import { sha256 } from './officebench/list-tree.ts';
import { readOverlay } from './officebench/overlay.ts';
import type { Provenance } from './officebench/package-files.ts';
import { writePackage } from './officebench/package-tree.ts';
import { proposeSplits, proposedSizes } from './officebench/propose-splits.ts';
import { type OfficeBenchSource, readSource } from './officebench/read-source.ts';
import { type JudgePrograms, replay, type TaskReplays } from './officebench/replay.ts';
import { sourceRevision } from './officebench/source-revision.ts';
import { settleTask } from './officebench/settle-task.ts';

/** One import, from a local checkout; nothing is fetched. */
export interface ImportOfficeBenchOptions extends JudgePrograms {
  /** An OfficeBench checkout, or its `tasks` folder. Only read. */
  readonly source: string;
  /** Folder for the packages; must not exist, or be empty. Written whole or not at all. */
  readonly out: string;
  /** `faithful` keeps upstream's verdicts. */
  readonly mode: 'faithful';
  /** Curated contradictions, `tasks/officebench-overlay.yaml` of anneal. */
  readonly overlay: string;
  /** Upstream commit of the source; by default that of the git checkout it lies in, else the published one. */
  readonly revision?: string;
  /** Awaited after the source was read and found usable, before `python` runs: installs it. */
  readonly prepare?: () => Promise<void>;
}

/** The proposed splits are a function of the report and this. */
const splitSeed = 1;

const upstream = {
  project: 'OfficeBench',
  url: 'https://github.com/zlwang-cs/OfficeBench',
  licence: 'Apache-2.0',
} as const;

/**
 * Converts OfficeBench tasks to Harbor packages. `<out>/<a-b-n>/` holds the tasks that met every replay and are listed in
 * `tasks.json`, `<out>/quarantine/<a-b-n>/` the others, `import-report.json` what was found about each, `splits.yaml` a proposal
 * for an experiment where there are tasks for each purpose. The same source gives the same bytes. Throws ANL-1203, ANL-1204, ANL-1205, ANL-1208; then `out` is as it was.
 */
export async function importOfficeBench(options: ImportOfficeBenchOptions): Promise<ImportReport> {
  const out = resolve(options.out);
  await refuseFilled(out);
  const source = await readSource(options.source);
  const overlay = await readOverlay(options.overlay);
  await options.prepare?.();
  const revision = await sourceRevision(source.root, options.revision);
  const groups = leakageGroups(source.tasks.map(({ id, testbed }) => ({ id, inputs: testbed.files })));
  const staging = join(dirname(out), `.${basename(out)}.partial-${process.pid}`);
  try {
    await mkdir(staging, { recursive: true });
    const drafts = await draftAll(options, source, { ...upstream, ...revision }, groups);
    for (const { metadata, files, folders } of drafts) {
      await writePackage(join(staging, metadata.name), files, folders);
    }
    const replays = await replayAll(options, staging, drafts);
    const tasks: ImportedTask[] = [];
    for (const [index, draft] of drafts.entries()) {
      const seen = replays[index];
      if (seen?.id !== draft.metadata.name) throw new Error(`no replay of ${draft.metadata.name}`);
      tasks.push(await settleTask(staging, draft, seen, overlay.get(draft.metadata.sourceId) ?? null));
    }
    const report = ImportReport.parse({
      version: 1,
      importer: 'officebench',
      mode: options.mode,
      source: { ...upstream, ...revision, listingSha256: listingDigest(source) },
      totals: importTotals(source.tasks, tasks),
      groups: groups.filter(({ upstreamTasks }) => upstreamTasks.length > 1),
      tasks,
    });
    await writeListing(staging, report, source.licence);
    await rm(out, { recursive: true, force: true });
    await rename(staging, out);
    return report;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function refuseFilled(out: string): Promise<void> {
  const there = await stat(out).catch(() => null);
  const filled = there !== null && (!there.isDirectory() || (await readdir(out)).length > 0);
  if (filled) throw new AnnealError('ANL-1208', { directory: out });
}

async function draftAll(
  programs: JudgePrograms,
  source: OfficeBenchSource,
  provenance: Provenance,
  groups: readonly LeakageGroup[],
): Promise<TaskDraft[]> {
  const library = await readFile(join(programs.judges, 'anneal_judges', 'officebench_oracle.py'), 'utf8');
  const inspection = await inspectSource(programs, source);
  const drafts: TaskDraft[] = [];
  for (const task of source.tasks) {
    const leakageGroup = groups.find(({ upstreamTasks }) => upstreamTasks.includes(task.id))?.id ?? task.id;
    for (const subtask of task.subtasks) {
      const { licence } = source;
      drafts.push(await draftTask({ task, subtask, provenance, leakageGroup, inspection, licence, library }));
    }
  }
  return drafts;
}

async function replayAll(
  programs: JudgePrograms,
  staging: string,
  drafts: readonly TaskDraft[],
): Promise<TaskReplays[]> {
  const tasks = drafts.map(({ metadata, oracle, alternatives, careless }) => ({
    id: metadata.name,
    tests: join(staging, metadata.name, 'tests'),
    oracle,
    alternatives,
    careless,
  }));
  return (await replay(programs, { inputs: [], workbooks: [], tasks })).tasks;
}

async function writeListing(directory: string, report: ImportReport, licence: string | null): Promise<void> {
  const listing = { version: 1, tasks: report.tasks.filter(({ listed }) => listed).map(({ id }) => id) };
  await writeFile(join(directory, 'tasks.json'), `${JSON.stringify(listing, null, 2)}\n`);
  await writeFile(join(directory, 'import-report.json'), `${JSON.stringify(report, null, 2)}\n`);
  const proposed = Splits.safeParse(proposeSplits(report.tasks, proposedSizes, splitSeed));
  if (proposed.success) await writeFile(join(directory, 'splits.yaml'), `${splitsHead}${stringify(proposed.data)}`);
  if (licence !== null) await writeFile(join(directory, 'LICENSE'), licence);
}

const splitsHead = `# A proposal from the tasks listed here, for a task source of the name officebench: leakage groups stay within one
# split, tasks that need pictures or name their answer are left out. Change it as you like; anneal run checks it.
`;

/** Over everything that was read of the source: subtasks, inputs, references. */
function listingDigest(source: OfficeBenchSource): Sha256 {
  const lines = source.tasks.flatMap(({ id, testbed, references, subtasks }) => [
    ...testbed.files.map(({ path, sha256: digest }) => `${id}/testbed/${path} ${digest}\n`),
    ...references.files.map(({ path, sha256: digest }) => `${id}/reference/${path} ${digest}\n`),
    ...subtasks.map(({ number, sha256: digest }) => `${id}/subtasks/${number}.json ${digest}\n`),
  ]);
  return sha256(lines.toSorted(codeUnitOrder).join(''));
}
