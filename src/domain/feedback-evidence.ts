import type { FeedbackEvidence } from '../schema/evidence.ts';
import type { TaskId } from '../schema/ids.ts';
import type { JudgeReport } from '../schema/judgement.ts';
import type { Outcome } from '../schema/outcome.ts';
import type { Modality, Split } from '../schema/splits.ts';
import { transcriptOf } from './transcript.ts';
import { visibleToUpdater, type Content, type Materials, type Projections } from './visibility.ts';

/** All that the engine holds of one feedback attempt, sealed strings included. */
export interface EvidenceParts {
  readonly split: Split;
  readonly taskId: TaskId;
  readonly modality: Modality;
  readonly instruction: string;
  readonly inputs: readonly string[];
  readonly outcome: Extract<Outcome, { kind: 'scored' | 'scored_with_agent_error' }>;
  readonly report: JudgeReport;
  /** `trajectory.json` as parsed, or null when there is none. */
  readonly trajectory: unknown;
  readonly calls: number;
  readonly tokensCharged: number;
  /** Canary strings of all tasks of the experiment. */
  readonly canaries: readonly string[];
}

/** Evidence fit for an updater, or why there may be none. */
export type EvidenceResult =
  | {
      readonly kind: 'evidence';
      readonly evidence: FeedbackEvidence;
      /** Sealed strings taken out. */ readonly removed: number;
    }
  | { readonly kind: 'refused'; readonly why: string };

/** The document an updater gets of one attempt. Each part passes the barrier; a refused part refuses the whole. */
export function feedbackEvidence(parts: EvidenceParts): EvidenceResult {
  let removed = 0;
  const refusals: string[] = [];
  function show<Kind extends Content>(content: Kind, material: Materials[Kind]): Projections[Kind] | null {
    const visible = visibleToUpdater(content, parts.split, material, parts.canaries);
    if (visible.kind === 'refused') {
      refusals.push(visible.why);
      return null;
    }
    removed += visible.removed;
    return visible.value;
  }
  const { outcome } = parts;
  const taskId = show('task-id', parts.taskId);
  const instruction = show('instruction', parts.instruction);
  const inputs = show('inputs', parts.inputs);
  const points = show('score', 100 * outcome.reward);
  const signature = outcome.kind === 'scored' ? '' : show('crash-signature', outcome.signature);
  const diagnostics = show('diagnostics', parts.report);
  const transcript = show('transcript', transcriptOf(parts.trajectory));
  if (
    taskId === null ||
    instruction === null ||
    inputs === null ||
    points === null ||
    signature === null ||
    diagnostics === null ||
    transcript === null
  ) {
    return { kind: 'refused', why: refusals.join('; ') };
  }
  return {
    kind: 'evidence',
    removed,
    evidence: {
      version: 1,
      taskId: parts.taskId,
      modality: parts.modality,
      instruction,
      inputs: [...inputs],
      points,
      agentError: outcome.kind === 'scored' ? null : { cause: outcome.cause, signature },
      calls: parts.calls,
      tokensCharged: parts.tokensCharged,
      deliveryFaults: diagnostics.deliveryFaults,
      diagnostics: [...diagnostics.criteria],
      transcript: [...transcript],
    },
  };
}
