import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { takeLastLook } from '../../src/cli/last-look.ts';
import type { ExperimentId } from '../../src/schema/ids.ts';
import { CommandLine } from '../support/command-line.ts';

const first = 'exp_41d0c2ab' as ExperimentId;
const second = 'exp_7be913aa' as ExperimentId;
const opened: CommandLine[] = [];

function home(): CommandLine['home'] {
  const made = new CommandLine();
  opened.push(made);
  return made.home;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

describe('the last look', () => {
  it('is null the first time, then the time before, for each experiment apart', () => {
    const at = home();
    expect(takeLastLook(at, first, 1000)).toBeNull();
    expect(takeLastLook(at, second, 2000)).toBeNull();
    expect(takeLastLook(at, first, 3000)).toBe('1970-01-01T00:00:01.000Z');
    expect(takeLastLook(at, second, 4000)).toBe('1970-01-01T00:00:02.000Z');
  });

  it('is let be where it cannot be written', () => {
    const at = home();
    mkdirSync(at.root, { recursive: true });
    writeFileSync(at.run, '');
    expect(takeLastLook(at, first, 1000)).toBeNull();
    expect(takeLastLook(at, first, 2000)).toBeNull();
  });

  it.each(['', '{', '{"version":2}'])('survives a damaged file (%s)', (text) => {
    const at = home();
    mkdirSync(at.run, { recursive: true });
    writeFileSync(join(at.run, 'last-look.json'), text);
    expect(takeLastLook(at, first, 1000)).toBeNull();
    expect(takeLastLook(at, first, 2000)).toBe('1970-01-01T00:00:01.000Z');
  });
});
