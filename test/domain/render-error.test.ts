import { describe, expect, it } from 'vitest';
import { AnnealError } from '../../src/domain/errors.ts';
import { renderError } from '../../src/domain/render-error.ts';

describe('renderError', () => {
  it('prints places, reason, remedy and what was not spent', () => {
    const error = new AnnealError(
      'ANL-1102',
      { group: 'budget-template-7', task: 'pack/word-088', split: 'feedback' },
      {
        at: [
          { file: 'splits/selection.yaml', line: 41, column: 7 },
          { file: 'splits/feedback.yaml', line: 113, column: 7 },
        ],
        why: 'a group must stay within one split; 2 tasks share a source file',
        notSpent: 'nothing was started, 0 tokens spent',
      },
    );
    expect(renderError(error)).toBe(
      [
        'error ANL-1102  leakage group "budget-template-7" is in two splits',
        '  at   splits/selection.yaml:41:7  and  splits/feedback.yaml:113:7',
        '  why  a group must stay within one split; 2 tasks share a source file',
        '  next move pack/word-088 to feedback, or drop it    nothing was started, 0 tokens spent (exit 2)',
      ].join('\n'),
    );
  });

  it('leaves out the lines that have nothing to say', () => {
    expect(renderError(new AnnealError('ANL-5003', { address: '127.0.0.1:7233' }))).toBe(
      [
        'error ANL-5003  Temporal is not reachable at 127.0.0.1:7233',
        '  next anneal up     then check everything with: anneal doctor    (exit 5)',
      ].join('\n'),
    );
  });

  it('indents the further lines of a reason', () => {
    const error = new AnnealError(
      'ANL-2001',
      { file: 'e.yaml', experiment: 'exp_00000001' },
      { why: 'seed 1 → 2\nlanes 2 → 4' },
    );
    expect(renderError(error)).toContain('\n  why  seed 1 → 2\n       lanes 2 → 4\n');
  });

  it('prints the JSON form like the error', () => {
    const error = new AnnealError('ANL-5002', {});
    expect(renderError(JSON.parse(JSON.stringify(error)))).toBe(renderError(error));
  });

  it('names a file without a line where only the file is known', () => {
    const error = new AnnealError('ANL-1004', { file: 'x' }, { at: [{ file: 'e.yaml' }] });
    expect(renderError(error)).toContain('  at   e.yaml\n');
  });
});
