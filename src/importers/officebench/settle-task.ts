import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskId } from '../../schema/ids.ts';
import type { ImportedTask, ImportReplay } from '../../schema/import-report.ts';
import type { TaskDraft } from './draft-task.ts';
import { findingsOf } from './findings.ts';
import { packageDigest, type PackageFile, writePackage } from './package-tree.ts';
import type { Replay, TaskReplays } from './replay.ts';

/** Where packages lie that missed an expected replay, below the output folder. */
const quarantineFolder = 'quarantine';

/** Adds the careless script that the replays chose, and moves the package to quarantine unless it met every replay. */
export async function settleTask(
  out: string,
  draft: TaskDraft,
  replays: TaskReplays,
  overlay: string | null,
): Promise<ImportedTask> {
  const { metadata } = draft;
  const chosen = Math.max(
    0,
    replays.careless.findIndex(({ reward, defect }) => reward === 0 && defect === null),
  );
  const careless = replays.careless[chosen];
  const script = draft.careless[chosen];
  if (careless === undefined || script === undefined) throw new Error(`${metadata.sourceId} has no careless script`);
  const added: PackageFile = { path: 'solution/careless.py', bytes: script };
  await writePackage(join(out, metadata.name), [added], []);
  const findings = findingsOf({ ...draft.facts, replays, careless, overlay });
  if (!findings.listed) {
    await mkdir(join(out, quarantineFolder), { recursive: true });
    await rename(join(out, metadata.name), join(out, quarantineFolder, metadata.name));
  }
  return {
    id: TaskId.parse(`officebench/${metadata.name}`),
    sourceId: metadata.sourceId,
    ...findings,
    modality: metadata.modality,
    leakageGroup: metadata.leakageGroup,
    oracle: metadata.oracle,
    needsVision: metadata.needsVision,
    deliverables: [...metadata.deliverables],
    inputs: { ...metadata.inputSha256 },
    packageSha256: packageDigest([...draft.files, added]),
    replays: {
      oracle: recorded(replays.replays.oracle),
      empty: recorded(replays.replays.empty),
      unmodified: recorded(replays.replays.unmodified),
      corrupt: recorded(replays.replays.corrupt),
      careless: recorded(careless),
    },
  };
}

function recorded({ reward, items, defect }: Replay): ImportReplay {
  return { reward, passed: items.map(({ passed }) => passed), defect };
}
