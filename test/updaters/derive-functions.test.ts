import { describe, expect, it } from 'vitest';
import { deriveFunctions } from '../../src/updaters/derive-functions.ts';
import type { DeriveInputs, DeriveOutcome } from '../../src/updaters/derive-function.ts';
import { noLeakTerms } from '../support/scripted-engine.ts';

const playbook = '## A\n[sai-00001] helpful=0 harmful=0 :: One.\n';
const settings = { curatorOps: ['ADD'], playbookBytes: 65_536, nextId: 1 };

function run(
  name: string,
  texts: Record<string, string>,
  parameters: DeriveInputs['parameters'] = settings,
): DeriveOutcome {
  const found = deriveFunctions[name];
  if (found === undefined) throw new Error(`no ${name}`);
  return found({ texts, parameters, leakTerms: noLeakTerms });
}

describe('ace.apply-delta', () => {
  const curation = JSON.stringify({
    reasoning: '',
    operations: [{ type: 'ADD', section: 'OTHERS', content: 'Two.' }, 7],
  });

  it('gives the new playbook, the next id and the counts', () => {
    expect(run('ace.apply-delta', { playbook, curation })).toEqual({
      kind: 'ok',
      texts: { playbook: `${playbook}## OTHERS\n[misc-00002] helpful=0 harmful=0 :: Two.\n` },
      value: { nextId: 3, applied: 1, refused: 1 },
      findings: [{ code: 'operation-refused', text: 'operation 2: operation is no object' }],
    });
  });

  it('keeps the bytes of a playbook to which nothing was applied', () => {
    const odd = 'loose\r\n## A  \n[sai-00001]  helpful=0 harmful=0 ::One.';
    expect(run('ace.apply-delta', { playbook: odd, curation: '{"operations": []}' })).toMatchObject({
      texts: { playbook: odd },
    });
  });

  it('makes a finding of a curation without operations', () => {
    expect(run('ace.apply-delta', { playbook, curation: '{"reasoning": "x"}' })).toMatchObject({
      value: { applied: 0, refused: 0 },
      findings: [{ code: 'curation-invalid' }],
    });
  });

  it('stays small however many operations are refused', () => {
    const many = JSON.stringify({ operations: Array.from({ length: 500 }, () => ({ type: 'x'.repeat(5_000) })) });
    const outcome = run('ace.apply-delta', { playbook, curation: many });
    expect(outcome.findings).toHaveLength(21);
    expect(outcome.findings.at(-1)).toEqual({ code: 'findings-left-out', text: '480 more' });
    expect(JSON.stringify(outcome.findings).length).toBeLessThan(8_192);
  });

  it('is invalid without its inputs', () => {
    expect(run('ace.apply-delta', { playbook }).kind).toBe('invalid');
  });
});

describe('ace.apply-tags', () => {
  const tagged = (id: unknown, tag: string): string => JSON.stringify({ key_insight: 'x', bullet_tags: [{ id, tag }] });

  it('counts every reflection of the batch', () => {
    const texts = {
      playbook,
      'reflection-000': tagged('sai-00001', 'helpful'),
      'reflection-001': tagged('sai-00001', 'Helpful'),
    };
    expect(run('ace.apply-tags', texts)).toMatchObject({
      texts: { playbook: '## A\n[sai-00001] helpful=2 harmful=0 :: One.\n' },
      value: { counted: 2, unknown: 0 },
      findings: [],
    });
  });

  it('tells which reflection a bad tag is from', () => {
    const texts = { playbook, 'reflection-000': tagged(['sai-00001'], 'helpful'), 'reflection-001': 'no JSON' };
    expect(run('ace.apply-tags', texts)).toMatchObject({
      texts: { playbook },
      value: { counted: 0, unknown: 0 },
      findings: [{ code: 'tag-refused', text: 'reflection-000: tag 1 names no bullet or no known tag' }],
    });
  });

  it('does not write counters that would take the playbook over its cap', () => {
    const nine = playbook.replace('helpful=0', 'helpful=9');
    const texts = { playbook: nine, 'reflection-000': tagged('sai-00001', 'helpful') };
    expect(run('ace.apply-tags', texts, { playbookBytes: nine.length })).toMatchObject({
      texts: { playbook: nine },
      value: { counted: 0 },
      findings: [{ code: 'counters-refused' }],
    });
  });

  it('is invalid without a playbook', () => {
    expect(run('ace.apply-tags', {}).kind).toBe('invalid');
  });
});
