import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { createTokenCounter } from '../../src/adapters/token-counter.ts';

const words = fc.array(
  fc.constantFrom(
    'the',
    'total',
    'of',
    'sheet',
    '4,312.50',
    'März',
    '合计',
    '{"a":',
    '\n\n',
    '  ',
    '<|endoftext|>',
    '😀',
  ),
  { maxLength: 400 },
);

it('the count is never below that of the whole text, with its margin of a tenth, and at most a fifth above for prose', async () => {
  const counter = createTokenCounter();
  await fc.assert(
    fc.asyncProperty(words, async (parts) => {
      const text = parts.join(' ');
      const exact = encode(text, { disallowedSpecial: new Set() }).length;
      const counted = await counter.count([text]);
      expect(counted * 1.1).toBeGreaterThanOrEqual(exact);
      expect(counted).toBeLessThanOrEqual(exact * 1.2 + 4);
    }),
    { numRuns: 60 },
  );
});

it('texts add up, and the same text counts the same again', async () => {
  const counter = createTokenCounter();
  const [one, other] = ['Open the workbook.', 'Compare the totals.'.repeat(100)];
  const alone = (await counter.count([one])) + (await counter.count([other]));
  expect(await counter.count([one, other, one])).toBe(alone + (await counter.count([one])));
  expect(await counter.count([''])).toBe(0);
});

/** Computing time of this process, in ms: what others do on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

it.each([
  ['one letter', 'a'.repeat(100_000)],
  ['letters of a script without blanks', '数据表格中的汇总'.repeat(12_500)],
  ['blanks', ' '.repeat(100_000)],
  ['pictographs', '😀'.repeat(50_000)],
])('a hundred thousand characters of %s take seconds at most and let others run meanwhile', async (_, text) => {
  let longest = 0;
  let last = cpuMs();
  const tick = (): void => {
    longest = Math.max(longest, cpuMs() - last);
    last = cpuMs();
  };
  const ticking = setInterval(tick, 1);
  const started = cpuMs();
  await createTokenCounter().count([text]);
  tick();
  clearInterval(ticking);
  expect(cpuMs() - started).toBeLessThan(10_000);
  expect(longest).toBeLessThan(250);
});
