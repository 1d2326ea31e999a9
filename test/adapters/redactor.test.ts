import { expect, it } from 'vitest';
import { createGatewayLog } from '../../src/adapters/gateway-log.ts';
import { createRedactor } from '../../src/adapters/redactor.ts';

it('secrets are replaced by value wherever they stand; short ones are left, they would blank ordinary text', () => {
  const redactor = createRedactor();
  redactor.add('sk-0123456789');
  redactor.add('abc');
  expect(redactor.redact('key=sk-0123456789, "sk-0123456789x" abc')).toBe('key=[redacted], "[redacted]x" abc');
});

it('log lines carry no secret that was added at any time before, in fields, keys or text', () => {
  const redactor = createRedactor();
  const lines: string[] = [];
  const log = createGatewayLog(redactor, (line) => lines.push(line));
  redactor.add('sk-0123456789');
  log.warn({ detail: 'refused sk-0123456789', nested: { 'sk-0123456789': ['sk-0123456789'] } }, 'saw sk-0123456789');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('sk-0123456789');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: 'gateway', detail: 'refused [redacted]' });
});
