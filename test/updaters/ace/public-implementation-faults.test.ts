import { describe, expect, it } from 'vitest';
import { readPromptBlocks } from '../../../src/domain/prompt-blocks.ts';
import { aceUpdater } from '../../../src/updaters/ace/ace.ts';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { bulletsOf } from '../../../src/updaters/ace/playbook.ts';
import { citedBullets } from '../../../src/updaters/ace/cited-bullets.ts';
import type { AceState } from '../../../src/updaters/ace/state.ts';
import { aceSearch, evidenceOf, learningScript } from '../../support/ace-fixture.ts';
import { drive, type Script, type ScriptedEngine } from '../../support/scripted-engine.ts';

interface Ended {
  readonly state: AceState;
  readonly text: string;
  readonly engine: ScriptedEngine;
}

/** A whole search whose curator or reflector answers as given; the playbook's text at its end. */
function search(
  replies: { reflector?: string; curator?: string },
  options: Parameters<typeof aceSearch>[1] = {},
  script: Partial<Script> = {},
): Ended {
  const { engine, start } = aceSearch(
    {
      ...script,
      reply: (role, prompt) => replies[role as 'reflector' | 'curator'] ?? untagged(learningScript.reply(role, prompt)),
    },
    { perModality: 1, ...options },
  );
  const { state } = drive(aceUpdater, start, engine);
  return { state, text: engine.text(state.playbook), engine };
}

function untagged(reply: string): string {
  return JSON.stringify({ ...(JSON.parse(reply) as object), bullet_tags: undefined });
}

const good = { type: 'ADD', section: 'OTHERS', content: 'A good rule.' };

describe('where the public implementation of ACE goes wrong, ours', () => {
  it.each([
    ['was cut', `{"reasoning": "r", "operations": [${JSON.stringify(good)}, {"type": "ADD", "sec`],
    ['is a list', JSON.stringify([good])],
    ['misses reasoning', JSON.stringify({ operations: [good] })],
    [
      'stands in a fence with prose',
      `Sure!\n\`\`\`json\n${JSON.stringify({ reasoning: '', operations: [good] })}\n\`\`\``,
    ],
    ['has a bad operation beside it', JSON.stringify({ reasoning: '', operations: [{ type: 'ADD' }, good, null] })],
  ])('keeps the good operation of a curation that %s', (_, curator) => {
    expect(search({ curator }).text).toBe('## OTHERS\n[misc-00001] helpful=0 harmful=0 :: A good rule.\n');
  });

  it('tells of each bad operation instead of dropping the whole delta in silence', () => {
    const { engine } = search({
      curator: JSON.stringify({ operations: [{ type: 'ADD', section: null, content: 'x' }, good] }),
    });
    expect(engine.findings[0]).toEqual({ code: 'operation-refused', text: 'operation 1: section is no text' });
  });

  it.each([
    ['no JSON at all', 'I would add a rule about totals.'],
    ['an empty completion', ''],
    ['JSON without operations', '{"reasoning": "nothing"}'],
    ['operations that are text', '{"operations": "none"}'],
  ])('goes on after a curation that is %s', (_, curator) => {
    const { state } = search({ curator });
    expect(state.counters).toMatchObject({ curations: 0, curationsFailed: 3 });
    expect(state.step).toMatchObject({ kind: 'finish', reason: 'all batches are done' });
  });

  it('refuses content that is no text instead of writing its representation', () => {
    const { text } = search({
      curator: JSON.stringify({
        operations: [
          { ...good, content: { rule: 'x' } },
          { ...good, content: 7 },
        ],
      }),
    });
    expect(text).toBe('');
  });

  it('turns a newline in content into a blank, so that no stray line or section appears', () => {
    const { text } = search({ curator: JSON.stringify({ operations: [{ ...good, content: 'First\nsecond' }] }) });
    expect(text).toBe('## OTHERS\n[misc-00001] helpful=0 harmful=0 :: First second\n');
  });

  it('keeps text before the first header and still curates', () => {
    const { text } = search({ curator: JSON.stringify({ operations: [good] }) }, { playbook: '(empty)\n' });
    expect(text).toBe('(empty)\n## OTHERS\n[misc-00001] helpful=0 harmful=0 :: A good rule.\n');
  });

  it('numbers on when it starts from a learned playbook', () => {
    const learned =
      '## OTHERS\n[misc-00041] helpful=7 harmful=0 :: Old.\n[ph-00042] helpful=0 harmful=0 :: Foreign slug.\n';
    const { text, state } = search({ curator: JSON.stringify({ operations: [good] }) }, { playbook: learned });
    expect(text).toContain('[misc-00043] helpful=0 harmful=0 :: A good rule.');
    expect(state.nextId).toBe(44);
  });

  it('gives repeated ids of a learned playbook numbers of their own', () => {
    const learned = '## OTHERS\n[misc-00001] helpful=0 harmful=0 :: One.\n[misc-00001] helpful=0 harmful=0 :: Two.\n';
    const { text } = search({ curator: JSON.stringify({ operations: [good] }) }, { playbook: learned });
    expect(bulletsOf(parsePlaybook(text)).map(({ id }) => id)).toEqual(['misc-00001', 'misc-00002', 'misc-00003']);
  });

  it.each([
    ['no JSON', 'The agent forgot to save.'],
    ['a list', '["x"]'],
    ['empty', ''],
    ['without any lesson', '{"reasoning": "r", "bullet_tags": []}'],
  ])('does not curate a reflection that is %s, and goes on', (_, reflector) => {
    const { state, engine } = search({ reflector });
    expect(state.counters).toMatchObject({ reflections: 0, reflectionsFailed: 3, curations: 0 });
    expect(engine.prompts.some(({ role }) => role === 'curator')).toBe(false);
  });

  it.each([
    ['an id that is a list', [{ id: ['sai-00001'], tag: 'helpful' }]],
    ['tags that are lists', [['sai-00001', 'helpful']]],
    ['tags that are text', 'none'],
  ])('takes %s in a reflection for a finding, and still curates', (_, tags) => {
    const reflector = JSON.stringify({ key_insight: 'Look first.', bullet_tags: tags });
    const { state, engine } = search({ reflector });
    expect(engine.findings[0]?.code).toBe('tag-refused');
    expect(state.counters).toMatchObject({ reflections: 3, curations: 3, tagsCounted: 0 });
  });

  it('reads a reflection whose length was cut, as far as it got', () => {
    const { engine } = search({
      reflector: '{"reasoning": "r", "key_insight": "Look first.", "bullet_tags": [{"id": "sai',
    });
    const curator = engine.prompts.find(({ role }) => role === 'curator');
    expect(readPromptBlocks(curator?.prompt ?? '')['reflection']).toContain('"key_insight":"Look first."');
  });

  it('takes context overflow for a typed result and goes on', () => {
    const { state } = search(
      {},
      {},
      {
        intercept: (action) =>
          action.kind === 'call-model' && action.role === 'curator'
            ? { kind: 'invalid', findings: [{ code: 'context_overflow', text: '130,000 > 128,000' }] }
            : null,
      },
    );
    expect(state.counters).toMatchObject({ curations: 0, curationsFailed: 3 });
  });

  it.each([['CREATE_META'], ['UPDATE'], ['MERGE'], ['DELETE']])(
    'makes a finding of %s where it is not allowed, instead of doing nothing',
    (type) => {
      const curator = JSON.stringify({
        operations: [{ type, id: 'sai-00001', ids: ['sai-00001', 'sai-00002'], content: 'x' }],
      });
      const { engine } = search({ curator });
      expect(engine.findings[0]?.code).toBe('operation-refused');
    },
  );

  it('performs UPDATE, MERGE and DELETE where they are allowed', () => {
    const playbook = '## OTHERS\n[misc-00001] helpful=0 harmful=1 :: Guess.\n';
    const curator = JSON.stringify({ operations: [{ type: 'DELETE', id: 'misc-00001' }] });
    expect(search({ curator }, { playbook, settings: { curatorOps: ['ADD', 'DELETE'] } }).text).toBe('## OTHERS\n');
  });

  it('puts a rule for problem-solving heuristics under that header, with a slug that can be cited', () => {
    const curator = JSON.stringify({ operations: [{ ...good, section: 'problem_solving_heuristics' }] });
    const { text } = search({ curator });
    expect(text).toBe('## PROBLEM-SOLVING HEURISTICS\n[prob-00001] helpful=0 harmful=0 :: A good rule.\n');
    expect(citedBullets(parsePlaybook(text), 'as prob-00001 says').map(({ id }) => id)).toEqual(['prob-00001']);
  });

  it('counts tags whatever key holds the id and however the tag is written', () => {
    const playbook = '## OTHERS\n[misc-00001] helpful=0 harmful=0 :: Old.\n';
    const reflector = JSON.stringify({ key_insight: 'x', bullet_tags: [{ bullet_id: 'misc-00001', tag: 'Helpful' }] });
    expect(search({ reflector, curator: '{"operations": []}' }, { playbook }).text).toContain('helpful=3');
  });

  it('curates every reflection, not the last one alone', () => {
    const { engine } = search({});
    const reflected = engine.prompts
      .filter(({ role }) => role === 'curator')
      .map(({ prompt }) => readPromptBlocks(prompt)['reflection']);
    expect(new Set(reflected).size).toBe(3);
  });

  it('submits every batch for measurement, so that the empty first playbook cannot win for want of a comparison', () => {
    expect(search({}).engine.candidates).toHaveLength(3);
  });

  it('enforces the byte cap in code: the playbook stays within it and is never cut', () => {
    const content = 'A rule of some length that says what to do and why it matters.';
    const curator = JSON.stringify({
      operations: Array.from({ length: 8 }, (_, index) => ({ ...good, content: `${content} ${index}` })),
    });
    const { text, engine } = search({ curator }, { settings: { playbookBytes: 500 } });
    expect(text).toBe('');
    expect(engine.findings[0]?.code).toBe('delta-refused');
  });

  it('never shows a reference answer: evidence has no place for one', () => {
    const { engine } = search({}, {}, { evidence: (taskId) => evidenceOf(taskId) });
    for (const { prompt } of engine.prompts) expect(prompt).not.toMatch(/"expected"|ground.truth/i);
  });

  it('keeps rules that quote feedback out of the playbook', () => {
    const curator = JSON.stringify({ operations: [{ ...good, content: 'Write Henderson into the total.' }, good] });
    const leakTerms = { taskIds: [], fileNames: [], referenceValues: ['Henderson'], rubricSentences: [] };
    expect(search({ curator }, {}, { leakTerms }).text).toBe(
      '## OTHERS\n[misc-00001] helpful=0 harmful=0 :: A good rule.\n',
    );
  });
});
