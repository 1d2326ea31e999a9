import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transcriptOf } from '../../src/domain/transcript.ts';

describe('transcriptOf', () => {
  it('leaves out the system message, which repeats the playbook', () => {
    expect(
      transcriptOf({
        messages: [
          { role: 'system', content: 'prompt' },
          { role: 'user', content: 'task' },
          { object: 'response', output: [{ type: 'message', content: 'thinking' }] },
          { type: 'function_call_output', output: 'files' },
          { role: 'exit', content: 'Submitted' },
        ],
      }),
    ).toEqual([
      { role: 'user', text: 'task' },
      { role: 'assistant', text: 'thinking' },
      { role: 'tool', text: 'files' },
      { role: 'exit', text: 'Submitted' },
    ]);
  });

  it('keeps both ends of a long message', () => {
    const [entry] = transcriptOf(
      { messages: [{ role: 'tool', content: `a${'x'.repeat(100)}z` }] },
      { perMessage: 20, total: 1000 },
    );
    expect(entry?.text).toMatch(/^ax{9}\n… 82 characters left out …\nx{9}z$/);
  });

  it('keeps the beginning and more of the end of a long run', () => {
    const messages = Array.from({ length: 100 }, (_, index) => ({
      role: 'user',
      content: String(index).padStart(10, '0'),
    }));
    const texts = transcriptOf({ messages }, { perMessage: 100, total: 200 }).map(({ text }) => text);
    expect(texts[0]).toBe('0000000000');
    expect(texts.at(-1)).toBe('0000000099');
    expect(texts).toContain('… 80 messages left out …');
    expect(texts).toHaveLength(21);
  });

  it('is a list of whatever a harness wrote, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ messages: fc.array(fc.anything()) })), (trajectory) => {
        expect(Array.isArray(transcriptOf(trajectory))).toBe(true);
      }),
    );
  });
});
