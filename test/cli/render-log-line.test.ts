import { describe, expect, it } from 'vitest';
import { renderLogLine } from '../../src/cli/render-log-line.ts';

describe('log lines', () => {
  it.each([
    [
      'a structured line in short',
      '{"level":40,"time":"2026-03-01T09:00:01.500Z","pid":7,"service":"gateway","againInMs":200,"msg":"service-ended"}',
      '09:00:01  warn   service-ended  service=gateway  againInMs=200',
    ],
    ['epoch milliseconds as time of day', '{"level":30,"time":1772355601000,"msg":"up"}', '09:00:01  info   up'],
    ['any other line as it is', 'Temporal server 1.32', 'Temporal server 1.32'],
    ['a torn line as it is', '{"level":40,"ti', '{"level":40,"ti'],
  ])('show %s', (_, line, shown) => expect(renderLogLine(line)).toBe(shown));
});
