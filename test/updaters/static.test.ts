import { describe, expect, it } from 'vitest';
import { updaterOf } from '../../src/updaters/registry.ts';

describe('the static arm', () => {
  it('finishes at once and edits nothing', () => {
    const updater = updaterOf({ updater: 'static' });
    expect(updater.describe().editableFiles).toEqual([]);
    expect(updater.next({})).toMatchObject({ kind: 'finish' });
  });
});

describe('the registry', () => {
  it.each(['static', 'ace'] as const)('gives %s under its name', (updater) => {
    expect(updaterOf({ updater }).describe().name).toBe(updater);
  });
});
