import { readPromptBlocks } from '../../src/domain/prompt-blocks.ts';
import type { FeedbackEvidence } from '../../src/schema/evidence.ts';
import { HarnessDigest, TaskId } from '../../src/schema/ids.ts';
import type { Modality } from '../../src/schema/splits.ts';
import { aceUpdater } from '../../src/updaters/ace/ace.ts';
import type { AceSettings, AceState } from '../../src/updaters/ace/state.ts';
import type { Action, UpdaterContext } from '../../src/updaters/step-machine.ts';
import { ScriptedEngine, type Script } from './scripted-engine.ts';

export const h0Digest = HarnessDigest.parse('0'.repeat(64));
const aceDefaults: AceSettings = { curatorOps: ['ADD'], playbookBytes: 65_536 };
const modalities: readonly Modality[] = ['presentation', 'document', 'spreadsheet'];

/** `perModality` tasks of each in-domain modality. */
function feedbackTasks(perModality: number): UpdaterContext['feedback'] {
  return modalities.flatMap((modality) =>
    Array.from({ length: perModality }, (_, index) => ({
      taskId: TaskId.parse(`pack/${modality}-${String(index + 1).padStart(3, '0')}`),
      modality,
      leakageGroup: `${modality}-${index}`,
    })),
  );
}

export function evidenceOf(taskId: TaskId, changes: Partial<FeedbackEvidence> = {}): FeedbackEvidence {
  return {
    version: 1,
    taskId,
    modality: modalities.find((modality) => taskId.includes(modality)) ?? 'document',
    instruction: `Do ${taskId}.`,
    inputs: ['in.xlsx'],
    points: 50,
    agentError: null,
    calls: 4,
    tokensCharged: 1_000,
    deliveryFaults: [],
    diagnostics: [],
    transcript: [{ role: 'assistant', text: 'I use [sai-00001].' }],
    ...changes,
  };
}

/** A model that learns one rule from each task, named after it. */
export const learningScript: Script = {
  evidence: (taskId) => evidenceOf(taskId),
  reply: (role, prompt) => {
    const blocks = readPromptBlocks(prompt);
    if (role === 'reflector') {
      const { instruction } = JSON.parse(blocks['evidence'] ?? '{}') as { instruction: string };
      const first = /^\[(\S+)\]/.exec(blocks['playbook'] ?? '')?.[1];
      const tags = first === undefined ? [] : [{ id: first, tag: 'helpful' }];
      return JSON.stringify({ reasoning: 'r', key_insight: `Lesson of: ${instruction}`, bullet_tags: tags });
    }
    const { key_insight: insight } = JSON.parse(blocks['reflection'] ?? '{}') as { key_insight: string };
    return JSON.stringify({
      reasoning: 'r',
      operations: [{ type: 'ADD', section: 'STRATEGIES & INSIGHTS', content: insight }],
    });
  },
};

export interface Search {
  readonly engine: ScriptedEngine;
  readonly start: AceState;
}

/** An engine with a script and a first state over `perModality` tasks of each modality. */
export function aceSearch(
  script: Partial<Script> = {},
  {
    perModality = 2,
    playbook = '',
    settings = {},
    budgets = {},
  }: {
    readonly perModality?: number;
    readonly playbook?: string;
    readonly settings?: Partial<AceSettings>;
    readonly budgets?: Partial<UpdaterContext['budgets']>;
  } = {},
): Search {
  const engine = new ScriptedEngine({ ...learningScript, ...script });
  const file = engine.put(playbook);
  const start = aceUpdater.init(
    {
      runId: 'exp_00000001/ace',
      seed: 7,
      h0: {
        digest: h0Digest,
        files: { 'agent.py': file, 'environment.py': file, 'systemprompt.md': file, 'playbook.md': file },
      },
      feedback: feedbackTasks(perModality),
      budgets: { updaterTokens: 1e8, candidates: 3, selectionQueries: 4, searchMs: 86_400_000, ...budgets },
    },
    { ...aceDefaults, ...settings },
  );
  return { engine, start };
}

/** The actions of one kind, in order. */
export function ofKind<Kind extends Action['kind']>(
  actions: readonly Action[],
  kind: Kind,
): Extract<Action, { kind: Kind }>[] {
  return actions.filter((action) => action.kind === kind) as Extract<Action, { kind: Kind }>[];
}
