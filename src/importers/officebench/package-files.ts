import { stringify } from 'smol-toml';
import type { Sha256 } from '../../schema/ids.ts';
import type { OfficeBenchSpec } from '../../schema/officebench.ts';
import type { Modality } from '../../schema/splits.ts';

/** Where the tasks come from; the same for all of them. */
export interface Provenance {
  readonly project: string;
  readonly url: string;
  readonly revision: string;
  readonly licence: string;
}

/** What a package says about itself in `task.toml`. */
export interface TaskMetadata {
  /** Folder name, for example `1-12-0`. */
  readonly name: string;
  /** For example `1-12/0`. */
  readonly sourceId: string;
  readonly provenance: Provenance;
  readonly modality: Modality;
  readonly leakageGroup: string;
  readonly deliverables: readonly string[];
  readonly inputSha256: Readonly<Record<string, Sha256>>;
  readonly editTask: boolean;
  readonly needsVision: boolean;
  readonly oracle: 'derived' | 'expected';
}

/** `task.toml`, schema 1.4. */
export function taskToml(task: TaskMetadata): string {
  const { provenance } = task;
  return `${stringify({
    schema_version: '1.4',
    source: 'officebench',
    task: {
      name: `officebench/${task.name}`,
      description: `OfficeBench task ${task.sourceId}, faithful mode`,
      keywords: ['officebench', task.modality],
    },
    metadata: {
      modality: task.modality,
      leakage_group: task.leakageGroup,
      deliverables: [...task.deliverables],
      source: provenance.url,
      source_id: task.sourceId,
      commit: provenance.revision,
      licence: provenance.licence,
      judge_mode: 'faithful',
      oracle: task.oracle,
      simulated_policy: 'derived from evaluation keys',
      edit_task: task.editTask,
      preservation_weight: 0,
      needs_vision: task.needsVision,
      input_sha256: task.inputSha256,
    },
    agent: { timeout_sec: 900 },
    verifier: { timeout_sec: 300 },
    environment: { network_mode: 'no-network', workdir: '/testbed' },
  })}\n`;
}

/** `environment/Dockerfile`, the same for every task. */
export const dockerfile = `FROM python:3.11-slim
WORKDIR /testbed
COPY testbed/ /testbed/
`;

/** Writes reward.txt and judge.json; the working directory it is called in does not matter. */
export const testScript = `#!/bin/bash
set -u
tests="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
cd /
exec "\${ANNEAL_PYTHON:-python3}" -I "\${ANNEAL_JUDGES:-/opt/judges}/officebench.py" "$tests" --workdir /testbed --verdict /logs/verifier
`;

/** `solution/solve.sh`, the same for every task; Python is `ANNEAL_PYTHON`, else the jail's, else any. */
export const solveScript = `#!/bin/bash
set -eu
solution="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
python=/opt/solver/bin/python
[ -x "$python" ] || python=python3
cd /testbed
exec "\${ANNEAL_PYTHON:-$python}" -I "$solution/solve.py"
`;

/** Licence notice of one package, with what was changed, as Apache-2.0 section 4 asks for. */
export function notice(task: TaskMetadata): string {
  const { provenance } = task;
  return `# Attribution

Task ${task.sourceId} of ${provenance.project} (${provenance.url}, revision ${provenance.revision}), licensed under ${provenance.licence}.
The task text, the input files, the evaluation keys and any reference workbooks are upstream's.

Changed by the importer: a delivery contract was added to the task text, the paths of the evaluation were rewritten, and
the package structure, the judge and the solution are its own.
`;
}

/** `tests/spec.json`. */
export function specJson(spec: OfficeBenchSpec): string {
  return `${JSON.stringify(spec, null, 2)}\n`;
}
