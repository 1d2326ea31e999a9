import { describe, expect, it } from 'vitest';
import { firstScreen, pressKey, type Screen, type Wish } from '../../src/cli/press-key.ts';
import { buildStatus } from '../../src/report/status/build-status.ts';
import type { Status } from '../../src/report/status/status.ts';
import { demoRecords } from '../support/demo-story.ts';
import { ledgerView } from '../support/ledger-view.ts';
import { buildLock, startedAt } from '../support/lock-builder.ts';

const running: Status = buildStatus({
  lock: buildLock(),
  records: demoRecords(2),
  live: { run: 'running', phase: 'search', arm: 'ace', paused: false, lanes: 2, trouble: null },
  usage: ledgerView.usage,
  leases: ledgerView.leases.map((lease, index) => ({ ...lease, epoch: index + 1 })),
  services: [],
  now: startedAt,
});
const paused: Status = { ...running, state: 'paused' };
const idle: Status = { ...running, inFlight: [] };
const [first, second] = running.inFlight.map(({ attempt, epoch }) => `${attempt}#${epoch}`);

/** Press several keys, one after the other; the wishes that are none are left out. */
function press(keys: string, status: Status): { readonly screen: Screen; readonly wishes: readonly Wish[] } {
  let screen = firstScreen;
  const wishes: Wish[] = [];
  for (const name of keys.split(' ')) {
    const pressed = pressKey(screen, { name, ctrl: false }, status);
    screen = pressed.screen;
    if (pressed.wish.kind !== 'none') wishes.push(pressed.wish);
  }
  return { screen, wishes };
}

describe('what a key asks for', () => {
  it.each<[string, string, Status, readonly Wish[]]>([
    ['p pauses what runs', 'p', running, [{ kind: 'pause' }]],
    ['p resumes what is paused', 'p', paused, [{ kind: 'resume' }]],
    ['q leaves', 'q', running, [{ kind: 'leave' }]],
    ['q leaves while an attempt is shown', 'return q', running, [{ kind: 'leave' }]],
    ['q while asked for lanes only goes back', 'l q', running, []],
    ['l and a number sets lanes', 'l 1 2 return', running, [{ kind: 'lanes', lanes: 12 }]],
    ['backspace takes a digit back', 'l 1 2 backspace return', running, [{ kind: 'lanes', lanes: 1 }]],
    ['no number changes nothing', 'l return', running, []],
    ['escape forgets the number', 'l 4 escape return', running, []],
    ['no lanes at all are refused', 'l 0 return', running, []],
    ['more than 512 lanes are refused', 'l 5 1 3 return', running, []],
    ['letters are no number', 'l x p return', running, []],
    ['other keys do nothing', 'x y space up down', running, []],
  ])('%s', (_, keys, status, wishes) => {
    expect(press(keys, status).wishes).toEqual(wishes);
  });

  it('a key with Ctrl is never one of these', () => {
    expect(pressKey(firstScreen, { name: 'p', ctrl: true }, running)).toEqual({
      screen: firstScreen,
      wish: { kind: 'none' },
    });
  });
});

describe('what a key shows', () => {
  it.each<[string, string, Status, Screen['mode']]>([
    ['enter: the first attempt in flight', 'return', running, { kind: 'attempt', attempt: first ?? '' }],
    ['down: the next one', 'return down', running, { kind: 'attempt', attempt: second ?? '' }],
    ['down at the last: the first again', 'return down down', running, { kind: 'attempt', attempt: first ?? '' }],
    ['up at the first: the last', 'return up', running, { kind: 'attempt', attempt: second ?? '' }],
    ['enter again: none', 'return return', running, { kind: 'watching' }],
    ['escape: none', 'return escape', running, { kind: 'watching' }],
    ['enter without an attempt in flight: none', 'return', idle, { kind: 'watching' }],
  ])('%s', (_, keys, status, mode) => {
    expect(press(keys, status).screen.mode).toEqual(mode);
  });

  it('a chosen attempt stays chosen while others come and go, even when it has ended', () => {
    const { screen } = press('return', running);
    expect(pressKey(screen, { name: 'x', ctrl: false }, idle).screen.mode).toEqual({ kind: 'attempt', attempt: first });
    expect(pressKey(screen, { name: 'down', ctrl: false }, idle).screen.mode).toEqual({ kind: 'watching' });
  });

  it('a shows all attempts, and fewer again', () => {
    expect([press('a', running), press('a a', running)].map(({ screen }) => screen.allAttempts)).toEqual([true, false]);
  });

  it.each([
    [
      'a number of lanes that may not be',
      'l 9 9 9 return',
      running,
      '999 lanes: lanes are a whole number from 1 to 512',
    ],
    ['that there is no attempt to show', 'return', idle, 'no attempt is in flight'],
  ] as const)('a notice tells %s', (_, keys, status, notice) => {
    expect(press(keys, status).screen.notice).toBe(notice);
  });
});
