import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { Curation, Reflection } from '../../src/schema/ace.ts';
import type { FeedbackEvidence } from '../../src/schema/evidence.ts';
import type { ModelRequest } from '../../src/schema/model-call.ts';
import { Category } from '../../src/schema/judgement.ts';
import type { Modality } from '../../src/schema/splits.ts';
import { lessonAbout, lessonsIn } from '../../src/simulated/lessons.ts';
import { simulate } from '../../src/simulated/simulate.ts';
import { update } from '../../src/simulated/updater.ts';
import { applyDelta } from '../../src/updaters/ace/apply-delta.ts';
import { parsePlaybook } from '../../src/updaters/ace/parse-playbook.ts';
import { renderPlaybook } from '../../src/updaters/ace/render-playbook.ts';
import { promptTemplates } from '../../src/updaters/prompts/prompt-templates.ts';
import { book, instructionOf } from './policy-fixture.ts';
import { publishedWorlds, worldNamed } from './published-worlds.ts';
import { commandOf, nextRequest, openingRequest, requestOf, textOf, userMessage } from './request-builder.ts';

type Status = FeedbackEvidence['diagnostics'][number]['status'];

const modalities = ['presentation', 'document', 'spreadsheet'] as const;
const pairs = modalities.flatMap((modality) => Category.options.map((category) => ({ modality, category })));

function evidenceOf(
  modality: FeedbackEvidence['modality'],
  checks: [Category, Status][],
  changes: object = {},
): object {
  return {
    version: 1,
    taskId: 'office-mini/w2',
    modality,
    instruction: 'Change the footer of every page in report.docx to "Lecture 1".',
    inputs: ['report.docx'],
    points: 50,
    agentError: null,
    calls: 4,
    tokensCharged: 1200,
    deliveryFaults: [],
    diagnostics: checks.map(([category, status], index) => ({
      id: `c${index}`,
      text: 'Every footer of the document reads exactly as the request says, on all pages.',
      kind: 'semantic',
      category,
      weight: 0.5,
      required: true,
      status,
      earned: status === 'pass' ? 1 : 0,
      observed: '{"status": "fail", "category": "facts"}',
    })),
    transcript: [{ role: 'assistant', text: 'I look at the inputs first. From the playbook I follow [sai-00003].' }],
    ...changes,
  };
}

function ask(template: string, texts: Record<string, string>): ModelRequest {
  const parameters = { step: 1, steps: 6, curatorOps: ['ADD'], playbookBytes: 65_536 };
  const prompt = promptTemplates[template]?.({ texts, parameters });
  if (prompt === undefined) throw new Error(`no template ${template}`);
  return requestOf([userMessage(prompt.user)], { responseFormat: prompt.responseFormat });
}

function reflectOn(evidence: object, playbook = ''): Reflection {
  const request = ask('ace.reflector/1', { evidence: JSON.stringify(evidence), playbook });
  return Reflection.parse(JSON.parse(update(request)));
}

function curateOn(reflection: Reflection, playbook = ''): Curation {
  const request = ask('ace.curator/1', { reflection: JSON.stringify(reflection), playbook });
  return Curation.parse(JSON.parse(update(request)));
}

const terms = {
  taskIds: ['office-mini/w2'],
  fileNames: ['report.docx'],
  referenceValues: ['Lecture 1'],
  rubricSentences: ['Every footer of the document reads exactly as the request says, on all pages.'],
};

function bulletLine(id: string): string {
  return `[${id}] helpful=0 harmful=0 :: ${lessonAbout('document', 'cross-file').rule}`;
}

describe('the simulated reflector', () => {
  it.each(pairs)(
    'draws the lesson about $modality/$category from a failed check of that kind',
    ({ modality, category }) => {
      const reflection = reflectOn(
        evidenceOf(modality, [
          ['facts', 'pass'],
          [category, 'fail'],
        ]),
      );
      expect(lessonsIn(reflection.key_insight)).toEqual([lessonAbout(modality, category)]);
    },
  );

  it('draws nothing where every check passed', () => {
    const reflection = reflectOn(
      evidenceOf('document', [
        ['facts', 'pass'],
        ['cross-file', 'pass'],
      ]),
    );
    expect(lessonsIn(JSON.stringify(reflection))).toEqual([]);
  });

  it('draws nothing from a cross-office task', () => {
    expect(reflectOn(evidenceOf('cross-office', [['facts', 'fail']])).key_insight).toBe('');
  });

  it('draws the lesson of the checks that a missing file left open', () => {
    const deliveryFaults = [{ file: 'report.docx', fault: 'missing' }];
    const reflection = reflectOn(evidenceOf('document', [['evidence-trace', 'skipped']], { deliveryFaults }));
    expect(lessonsIn(reflection.key_insight)).toEqual([lessonAbout('document', 'evidence-trace')]);
  });

  it('draws at most two lessons from one attempt', () => {
    const checks = Category.options.map((category): [Category, Status] => [category, 'fail']);
    expect(lessonsIn(reflectOn(evidenceOf('document', checks)).key_insight)).toHaveLength(2);
  });

  it.each([
    { losses: 'nothing', checks: [['facts', 'pass']], tag: 'helpful' },
    { losses: 'what the rule is about', checks: [['cross-file', 'fail']], tag: 'harmful' },
    { losses: 'something else', checks: [['facts', 'fail']], tag: 'neutral' },
  ] as const)('tags a cited rule $tag where the attempt lost $losses', ({ checks, tag }) => {
    const evidence = evidenceOf(
      'document',
      checks.map(([category, status]): [Category, Status] => [category, status]),
    );
    const reflection = reflectOn(evidence, `${bulletLine('sai-00003')}\n${bulletLine('sai-00004')}\n`);
    expect(reflection.bullet_tags).toEqual([{ id: 'sai-00003', tag }]);
  });

  it('answers all the same where the evidence is no evidence', () => {
    expect(reflectOn({ modality: 'poem' })).toMatchObject({ key_insight: '', bullet_tags: [] });
  });
});

describe('the simulated curator', () => {
  it.each(pairs)(
    'turns the lesson about $modality/$category into one bullet that passes every lint',
    ({ modality, category }) => {
      const { operations } = curateOn(reflectOn(evidenceOf(modality, [[category, 'fail']])));
      const rules = { curatorOps: ['ADD'], playbookBytes: 65_536, nextId: 1, leakTerms: terms };
      const outcome = applyDelta(parsePlaybook(''), operations, rules);
      expect(outcome).toMatchObject({ applied: 1, refused: 0, findings: [] });
      expect(renderPlaybook(outcome.playbook)).toContain(`:: ${lessonAbout(modality, category).rule}\n`);
    },
  );

  it('adds nothing that the playbook holds already', () => {
    const { rule } = lessonAbout('document', 'facts');
    const playbook = `## OTHERS\n[misc-00001] helpful=2 harmful=0 :: ${rule}\n`;
    expect(curateOn(reflectOn(evidenceOf('document', [['facts', 'fail']])), playbook).operations).toEqual([]);
  });

  it('adds nothing where the reflection names no lesson', () => {
    expect(curateOn(reflectOn(evidenceOf('document', [['facts', 'pass']]))).operations).toEqual([]);
  });
});

describe('feedback on one task', () => {
  it.each(pairs)('about $modality/$category reaches the solver through the playbook’s text alone', (pair) => {
    const { operations } = curateOn(reflectOn(evidenceOf(pair.modality, [[pair.category, 'partial']])));
    const rules = { curatorOps: ['ADD'], playbookBytes: 65_536, nextId: 1, leakTerms: terms };
    const playbook = renderPlaybook(applyDelta(parsePlaybook(''), operations, rules).playbook);
    expect(scriptPlayed(pair.modality, '')).toContain('careless');
    expect(scriptPlayed(pair.modality, playbook)).toContain('careful');
    expect(scriptPlayed('cross-office', playbook)).toBe(scriptPlayed('cross-office', ''));
  });
});

/** The solver's second command in the world no-transfer. */
function scriptPlayed(modality: Modality, playbook: string): string {
  const context = { role: 'solver', world: worldNamed('no-transfer'), policies: book } as const;
  const opening = openingRequest(instructionOf(modality), playbook);
  return commandOf(simulate(nextRequest(opening, simulate(opening, context)), context));
}

describe('the simulated updater', () => {
  const requests = [
    ask('ace.reflector/1', { evidence: JSON.stringify(evidenceOf('document', [['facts', 'fail']])), playbook: '' }),
    ask('ace.curator/1', { reflection: '{"key_insight": ""}', playbook: '' }),
  ];

  it('takes a request and nothing else', () => {
    expectTypeOf(update).parameters.toEqualTypeOf<[ModelRequest]>();
  });

  it('says the same in every world, with the policies of the solver at hand or without', () => {
    for (const request of requests) {
      const contexts = publishedWorlds.flatMap((world) => [book, null].map((policies) => ({ world, policies })));
      const texts = contexts.map((context) => textOf(simulate(request, { role: 'updater', ...context })));
      expect(new Set(texts).size).toBe(1);
    }
  });

  it('reaches no module that knows worlds or policies', () => {
    const sources = fileURLToPath(new URL('../../src', import.meta.url));
    const reached = reachableFrom(join(sources, 'simulated', 'updater.ts')).map((file) => relative(sources, file));
    expect(reached).toContain(join('simulated', 'reflector.ts'));
    expect(reached.filter((file) => /world|polic|solver|recognise|behaviour/.test(file))).toEqual([]);
  });
});

function reachableFrom(file: string, reached = new Set<string>()): string[] {
  if (reached.has(file)) return [...reached];
  reached.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    reachableFrom(resolve(dirname(file), path), reached);
  }
  return [...reached];
}
