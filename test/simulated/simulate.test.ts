import { describe, expect, it } from 'vitest';
import { ModelResponse } from '../../src/schema/model-call.ts';
import type { ModelRequest } from '../../src/schema/model-call.ts';
import { Modality } from '../../src/schema/splits.ts';
import { lessons } from '../../src/simulated/lessons.ts';
import { simulate } from '../../src/simulated/simulate.ts';
import { book, instructionOf } from './policy-fixture.ts';
import { publishedWorlds, worldNamed } from './published-worlds.ts';
import { commandOf, nextRequest, openingRequest, requestOf, textOf, userMessage } from './request-builder.ts';

const model = simulate;
const noTransfer = worldNamed('no-transfer');
const asSolver = { role: 'solver', world: noTransfer, policies: book } as const;
const rules = lessons.map(
  (lesson, index) => `[sai-${String(index + 1).padStart(5, '0')}] helpful=0 harmful=0 :: ${lesson.rule}`,
);
const playbook = `## STRATEGIES & INSIGHTS\n${rules.join('\n')}`;

/** All commands of one attempt, up to the submission. */
function dialogue(opening: ModelRequest, world = noTransfer): string[] {
  const commands: string[] = [];
  for (let request = opening; commands.length < 20;) {
    const response = model(request, { ...asSolver, world });
    commands.push(commandOf(response));
    if (commands.at(-1)?.includes('COMPLETE_TASK')) break;
    request = nextRequest(request, response);
  }
  return commands;
}

describe('the simulated model', () => {
  it('gives the same response for the same request and context', () => {
    const request = openingRequest(instructionOf('document'), playbook);
    expect(model(structuredClone(request), structuredClone(asSolver))).toEqual(model(request, asSolver));
  });

  it.each(publishedWorlds)('is served as simulated/$name in every role', (world) => {
    for (const role of ['solver', 'updater', 'judge'] as const) {
      expect(model(openingRequest('Hello', ''), { role, world, policies: null }).servedModel).toBe(
        `simulated/${world.name}`,
      );
    }
  });

  it('answers in the shape of every model', () => {
    const response = model(openingRequest(instructionOf('document'), ''), asSolver);
    expect(ModelResponse.parse(response)).toEqual(response);
  });

  it('never gives two different requests one id', () => {
    const ids = Modality.options.map((modality) => model(openingRequest(instructionOf(modality), ''), asSolver).id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(Modality.options)('does a %s task in at most six calls, the last of which submits', (modality) => {
    const commands = dialogue(openingRequest(instructionOf(modality), ''));
    expect(commands.length).toBeLessThanOrEqual(6);
    expect(commands.at(-1)).toBe('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT');
    expect(commands.slice(0, -1).join('\n')).not.toContain('COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT');
  });

  it.each(Modality.options)('plays the careless script of a %s task without a playbook', (modality) => {
    expect(dialogue(openingRequest(instructionOf(modality), '')).join('\n')).toContain(`print('careless ${modality}')`);
  });

  it.each([
    ['no-transfer', 'presentation', 'careful'],
    ['no-transfer', 'document', 'careful'],
    ['no-transfer', 'spreadsheet', 'careful'],
    ['no-transfer', 'cross-office', 'careless'],
    ['null', 'presentation', 'careless'],
    ['null', 'document', 'careless'],
    ['null', 'spreadsheet', 'careless'],
    ['null', 'cross-office', 'careless'],
  ] as const)('in the world %s, with every lesson, plays the %s task %s', (world, modality, behaviour) => {
    const commands = dialogue(openingRequest(instructionOf(modality), playbook), worldNamed(world));
    expect(commands.join('\n')).toContain(`print('${behaviour} ${modality}')`);
  });

  it('goes back to H0 exactly when the playbook is taken away', () => {
    const opening = openingRequest(instructionOf('document'), '');
    const before = dialogue(opening);
    expect(dialogue(openingRequest(instructionOf('document'), playbook))).not.toEqual(before);
    expect(dialogue(openingRequest(instructionOf('document'), ''))).toEqual(before);
  });

  it('does nothing differently under irrelevant rules of equal length but count their tokens', () => {
    const irrelevant = playbook.replaceAll(
      /:: (.+)$/gm,
      (_, rule: string) => `:: ${Array.from(rule).toReversed().join('')}`,
    );
    const bare = openingRequest(instructionOf('document'), '');
    const padded = openingRequest(instructionOf('document'), irrelevant);
    expect(dialogue(padded)).toEqual(dialogue(bare));
    expect(textOf(model(padded, asSolver))).toBe(textOf(model(bare, asSolver)));
    const relevant = openingRequest(instructionOf('document'), playbook);
    expect(model(padded, asSolver).usage?.inputTokens).toBe(model(relevant, asSolver).usage?.inputTokens);
  });

  it('counts a playbook’s tokens on every call, in proportion to its length', () => {
    const [bare, once, twice] = ['', playbook, `${playbook}\n${playbook}`].map(
      (text) => model(openingRequest(instructionOf('document'), text), asSolver).usage?.inputTokens ?? 0,
    ) as [number, number, number];
    expect(once - bare).toBeGreaterThan(playbook.length / 6);
    expect(twice - once).toBeCloseTo(playbook.length / 5, -1);
  });

  it('cites the rules about the task’s own kind in its first reply, and no others', () => {
    const text = textOf(model(openingRequest(instructionOf('document'), playbook), asSolver));
    const cited = [...text.matchAll(/\[(sai-\d{5})\]/g)].map(([, id]) => id);
    const own = rules.filter((_, index) => lessons[index]?.modality === 'document').map((rule) => rule.slice(1, 10));
    expect(cited).toEqual(own);
  });

  it('takes the longest instruction where one task’s stands inside another’s', () => {
    const [first] = book.policies;
    if (first === undefined) throw new Error('no policy');
    const longer = {
      ...first,
      taskId: 'fixture/longer' as never,
      instruction: `${first.instruction} And mail it.`,
      careless: 'print("longer")',
    };
    const policies = { version: 1 as const, policies: [longer, ...book.policies] };
    let request = openingRequest(longer.instruction, '');
    request = nextRequest(request, model(request, { ...asSolver, policies }));
    expect(commandOf(model(request, { ...asSolver, policies }))).toContain('print("longer")');
  });

  it('takes its turn from the commands it gave, so a format error in between changes nothing', () => {
    const opening = openingRequest(instructionOf('document'), '');
    const second = nextRequest(opening, model(opening, asSolver));
    const disturbed = { ...second, messages: [...second.messages, userMessage('The reply could not be used.')] };
    expect(commandOf(model(disturbed, asSolver))).toBe(commandOf(model(second, asSolver)));
  });

  it.each([
    ['solver', 'I do not know this task'],
    ['updater', 'nothing to add'],
    ['judge', 'cannot judge'],
  ] as const)('as %s answers a request that it does not know in plain words', (role, words) => {
    const response = model(requestOf([userMessage('Hello')]), { ...asSolver, role });
    expect(textOf(response)).toContain(words);
    expect(response).toMatchObject({ toolCalls: [], finishReason: 'stop' });
  });

  it('answers an unknown updater request in JSON where JSON was asked for', () => {
    const request = requestOf([userMessage('Hello')], { responseFormat: 'json' });
    expect(JSON.parse(textOf(model(request, { ...asSolver, role: 'updater' })))).toHaveProperty('answer');
  });

  it('cuts a reply at the output cap, tool call and all', () => {
    const request = openingRequest(instructionOf('document'), '', { sampling: { maxOutputTokens: 3 } });
    const response = model(request, asSolver);
    expect(response).toMatchObject({ toolCalls: [], finishReason: 'length', usage: { outputTokens: 3 } });
    expect(textOf(response)).toBe('I look at the i');
  });

  it('spreads a long script over calls that each stay within the output cap', () => {
    const line = `value = "${'\\"'.repeat(20)}"  # quoted\n`;
    const policies = {
      version: 1 as const,
      policies: book.policies.map((policy) => ({ ...policy, careless: line.repeat(400) })),
    };
    let request = openingRequest(instructionOf('document'), '', { sampling: { maxOutputTokens: 1000 } });
    const finishes: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const response = model(request, { ...asSolver, policies });
      finishes.push(response.finishReason);
      if (commandOf(response).includes('COMPLETE_TASK')) break;
      request = nextRequest(request, response);
    }
    expect(new Set(finishes)).toEqual(new Set(['tool_calls']));
    expect(finishes.length).toBeGreaterThan(6);
    expect(finishes.length).toBeLessThan(40);
  });
});
