import { describe, expect, it } from 'vitest';
import { moneyText } from '../../src/domain/money-text.ts';

describe('an amount of money', () => {
  it.each([
    [0, '$0'],
    [1, '$0.000001'],
    [900, '$0.000900'],
    [2100, '$0.0021'],
    [76_700, '$0.0767'],
    [999_400, '$0.9994'],
    [1_000_000, '$1.00'],
    [12_345_600_000, '$12,345.60'],
    [1_234_567_890_000, '$1,234,567.89'],
  ])('of %d millionths of a dollar is shown as %s, never as nothing', (microUsd, text) => {
    expect(moneyText(microUsd)).toBe(text);
  });
});
