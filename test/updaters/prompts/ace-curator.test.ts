import { describe, expect, it } from 'vitest';
import { readPromptBlocks } from '../../../src/domain/prompt-blocks.ts';
import { promptTemplates } from '../../../src/updaters/prompts/prompt-templates.ts';

const playbook = '## A\n[sai-00001] helpful=0 harmful=2 :: One.\n';

function render(
  curatorOps: readonly string[],
  texts: Record<string, string> = { playbook, reflection: '{"key_insight":"x"}' },
): string {
  const parameters = { curatorOps, playbookBytes: 1000, step: 4, steps: 90 };
  const prompt = promptTemplates['ace.curator/1']?.({ texts, parameters });
  if (prompt === undefined) throw new Error('no template');
  return prompt.user;
}

describe('the curator prompt', () => {
  it('shows the reflection, the statistics and the whole playbook as blocks', () => {
    const blocks = readPromptBlocks(render(['ADD']));
    expect(blocks['reflection']).toBe('{"key_insight":"x"}');
    expect(JSON.parse(blocks['statistics'] ?? '')).toMatchObject({ total: 1, problematic: 1 });
    expect(blocks['playbook']).toBe(playbook.trimEnd());
  });

  it('offers the allowed operations alone', () => {
    expect(render(['ADD'])).not.toMatch(/"UPDATE"|"MERGE"|"DELETE"/);
    expect(render(['ADD', 'DELETE'])).toMatch(/"ADD"[\s\S]*"DELETE"/);
  });

  it('tells where the work stands and how full the playbook is', () => {
    expect(render(['ADD'])).toContain(
      `This is reflection 4 of 90. The playbook has ${playbook.length} of at most 1000 bytes`,
    );
  });

  it('is rendered without inputs too', () => {
    expect(readPromptBlocks(render(['ADD'], {}))['playbook']).toBe('(empty)');
  });
});
