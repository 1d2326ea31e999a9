import { readFileSync } from 'node:fs';
import type { Content } from '../../src/domain/visibility.ts';
import type { FeedbackEvidence } from '../../src/schema/evidence.ts';
import type { DisclosureRecord, ExperimentRecord } from '../../src/schema/record.ts';
import type { EvidenceCopy } from './evidence-copy.ts';
import type { PlantedFault } from './planted-faults.ts';

/** A canary of the built-in pack. */
const canary = 'anneal-canary-064befb24037b1d8';

type Channel = DisclosureRecord['items'][number]['content'];
type Document = FeedbackEvidence & Record<string, unknown>;

/** What a leak through each content that the barrier lets an updater read of feedback looks like in its evidence. */
export const evidenceLeaks: Readonly<Partial<Record<Content, (evidence: Document) => Document>>> = {
  'task-id': (evidence) => ({ ...evidence, taskId: `office-mini/${canary}` as never }),
  instruction: (evidence) => ({ ...evidence, instruction: `${evidence.instruction} ${canary}` }),
  inputs: (evidence) => ({ ...evidence, inputs: [...evidence.inputs, canary] }),
  transcript: (evidence) => ({ ...evidence, transcript: [...evidence.transcript, { role: 'tool', text: canary }] }),
  artifact: (evidence) => ({ ...evidence, artifact: canary }),
  score: (evidence) => ({ ...evidence, points: evidence.points + 0.0001 }),
  diagnostics: (evidence) => ({
    ...evidence,
    diagnostics: evidence.diagnostics.map((diagnostic) => ({ ...diagnostic, observed: canary, expected: '4711' })),
  }),
  'crash-signature': (evidence) => ({ ...evidence, agentError: { cause: 'crash', signature: canary } }),
};

/** Leaks of evidence that carry no canary: only the barrier sees them. */
const withoutCanary: ReadonlySet<string> = new Set(['score']);

/** Replace the bytes behind the first disclosure of a channel. */
function disclose(copy: EvidenceCopy, channel: Channel, change: (text: string) => string): void {
  const fits = (record: ExperimentRecord): boolean =>
    record.kind === 'disclosure' && record.items.some(({ content }) => content === channel);
  copy.forge(
    fits,
    (record) => ({
      ...record,
      items: (record['items'] as DisclosureRecord['items']).map((item) =>
        item.content === channel
          ? { ...item, blob: copy.put(change(readFileSync(copy.blobPath(item.blob), 'utf8'))) }
          : item,
      ),
    }),
    'both',
  );
}

/** The same canary in every channel through which bytes reach an updater, and what no canary marks. */
export const plantedLeaks: readonly PlantedFault[] = [
  ...Object.entries(evidenceLeaks).map(([content, leak]): PlantedFault => ({
    fault: `a leak through ${content} of feedback evidence`,
    plant: (copy) => disclose(copy, 'evidence', (text) => JSON.stringify(leak(JSON.parse(text) as Document))),
    checks: ['barrier', ...(withoutCanary.has(content) ? [] : ['sealed'])],
  })),
  ...(['prompt', 'reply', 'derived'] as const).map((channel): PlantedFault => ({
    fault: `a leak through the ${channel} of an updater`,
    plant: (copy) => disclose(copy, channel, (text) => `${text}\n${canary.toUpperCase()}`),
    checks: ['sealed'],
  })),
  {
    fault: 'a leak through the playbook of a candidate',
    plant: (copy) => copy.forgePlaybook(`- ${canary}\n`),
    checks: ['sealed', 'revisions'],
  },
  {
    fault: 'a leak through findings that are told to an updater',
    plant: (copy) => {
      const decision = copy.records().find(({ kind }) => kind === 'decision');
      const finding = { ...decision, arm: 'ace', event: 'updater-findings', reason: `quoted ${canary}`, figures: {} };
      copy.append('decisions.jsonl', finding, 'forged');
    },
    checks: ['sealed'],
  },
  {
    fault: 'a leak through selection-number told with more digits than it may have',
    plant: (copy) =>
      copy.forge(
        ({ kind }) => kind === 'query',
        (record) => ({ ...record, disclosed: Number(record['exact']) + 0.04 }),
        'both',
      ),
    checks: ['queries'],
  },
  {
    fault: 'a leak through the id of a final task in a prompt',
    plant: (copy) => disclose(copy, 'prompt', (text) => `${text}\nas in office-mini/c1, sum first`),
    checks: ['blind'],
  },
  {
    fault: 'a leak through the instruction of a final task in a prompt',
    plant: (copy) => {
      const path = copy.lock.operational.taskDirectories['office-mini/c1'] ?? '';
      disclose(copy, 'prompt', (text) => `${text}\n${readFileSync(`${path}/instruction.md`, 'utf8')}`);
    },
    checks: ['blind'],
  },
  {
    fault: 'a prompt that was taken off the record',
    plant: (copy) =>
      copy.forge(
        (record) => record.kind === 'disclosure' && record.items.some(({ content }) => content === 'prompt'),
        (record) => ({ ...record, items: [] }),
        'both',
      ),
    checks: ['sealed'],
  },
];
