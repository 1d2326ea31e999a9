import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFaultProfile } from '../../src/adapters/fault-profile-file.ts';
import type { SimulatedTurn } from '../../src/contract/provider-port.ts';
import { Fault, FaultProfile, FaultProfileName } from '../../src/schema/fault-profile.ts';
import type { ModelRequest, ModelResponse } from '../../src/schema/model-call.ts';
import { faultsDirectory } from '../../src/services/freeze/world-document.ts';
import { faultOf, injectFault } from '../../src/simulated/inject-fault.ts';
import { simulate, simulateTurn } from '../../src/simulated/simulate.ts';
import { book, instructionOf } from './policy-fixture.ts';
import { worldNamed } from './published-worlds.ts';
import { nextRequest, openingRequest, requestOf, textOf, userMessage } from './request-builder.ts';

const profiles = FaultProfileName.options.map((name) => readFaultProfile(faultsDirectory, name));
const solver = { role: 'solver', world: worldNamed('null'), policies: book, faults: null } as const;
const opening = openingRequest(instructionOf('document'), '');
const writing = nextRequest(opening, simulate(opening, solver));
const whole = simulate(writing, solver);

function seeded(request: ModelRequest): ModelRequest[] {
  return Array.from({ length: 400 }, (_, seed) => ({ ...request, seed }));
}

function inject(fault: Fault): SimulatedTurn {
  return injectFault(whole, fault, FaultProfile.parse({ ...profiles[0], retryAfterMs: 70, stallMs: 80 }));
}

function responseWith(fault: Fault): ModelResponse {
  const turn = inject(fault);
  if (turn.kind !== 'answered') throw new Error(`no response with ${fault}`);
  return turn.response;
}

describe('published fault profiles', () => {
  it('are all that have a name, and together hold every fault', () => {
    const files = readdirSync(faultsDirectory).map((file) => file.replace('.yaml', ''));
    expect(files.toSorted()).toEqual(FaultProfileName.options.toSorted());
    expect(new Set(profiles.flatMap(({ faults }) => faults.map(({ fault }) => fault)))).toEqual(new Set(Fault.options));
  });

  it('that do not exist are refused with those that do', () => {
    expect(() => readFaultProfile(faultsDirectory, 'gremlins')).toThrow(
      expect.objectContaining({ code: 'ANL-1003', why: expect.stringContaining('rate-limits, stalls') }),
    );
  });

  it.each(profiles)('$name befalls the declared share of request attempts', (profile) => {
    for (const { fault, share } of profile.faults) {
      const drawn = seeded(opening).filter((request) => faultOf(profile, request, 'solver', 0) === fault);
      expect(Math.abs(drawn.length / 400 - share)).toBeLessThan(0.06);
    }
  });
});

describe('the fault of a request attempt', () => {
  const rough = readFaultProfile(faultsDirectory, 'rough');

  it('is the same whenever the same is asked with the same seed', () => {
    for (const request of seeded(opening)) {
      expect(faultOf(rough, structuredClone(request), 'solver', 1)).toBe(faultOf(rough, request, 'solver', 1));
    }
  });

  it('is drawn anew for every retry and every turn', () => {
    const drawn = [0, 1, 2].flatMap((attempt) =>
      [opening, writing].map((request) => seeded(request).map((each) => faultOf(rough, each, 'solver', attempt))),
    );
    expect(new Set(drawn.map((faults) => JSON.stringify(faults))).size).toBe(6);
  });

  it('does not depend on what commands printed, nor on digits and transcripts of a prompt', () => {
    const late = nextRequest(opening, simulate(opening, solver), '-rw-r--r-- 1 1000 Dec 24 18:00 notes.md');
    const prompt = (time: string): ModelRequest =>
      requestOf([
        userMessage(
          `Reflect.\n<<<evidence 0123456789ab\n{"calls": ${time.length}}\nevidence 0123456789ab>>>\n<<<transcript 0123456789ab\n${time}\ntranscript 0123456789ab>>>`,
        ),
      ]);
    for (const seed of seeded(opening).map((request) => request.seed)) {
      expect(faultOf(rough, { ...late, seed }, 'solver', 0)).toBe(faultOf(rough, { ...writing, seed }, 'solver', 0));
      expect(faultOf(rough, { ...prompt('noon'), seed }, 'updater', 0)).toBe(
        faultOf(rough, { ...prompt('midnight'), seed }, 'updater', 0),
      );
    }
  });
});

describe('a reply with a fault', () => {
  it.each([
    ['rate-limit', { kind: 'rate-limited', retryAfterMs: 70 }],
    ['stall', { kind: 'stalled', stallMs: 80 }],
    ['missing-usage', { kind: 'answered', response: { ...whole, usage: null } }],
  ] as const)('of %s is what it says', (fault, turn) => {
    expect(inject(fault)).toEqual(turn);
  });

  it('truncated ends early and calls no tool', () => {
    const response = responseWith('truncated');
    expect(response).toMatchObject({ finishReason: 'length', toolCalls: [] });
    expect(textOf(whole).startsWith(textOf(response))).toBe(true);
    expect(textOf(response).length).toBeLessThan(textOf(whole).length);
  });

  it('with a malformed call has arguments that are no JSON', () => {
    const [call] = responseWith('malformed-call').toolCalls;
    expect(() => JSON.parse(call?.arguments ?? '{}') as unknown).toThrow(SyntaxError);
  });

  it('with list content has the same text in several parts', () => {
    const { content } = responseWith('list-content');
    expect(content.length).toBeGreaterThan(1);
    expect(content.map(({ text }) => text).join('')).toBe(whole.content.map(({ text }) => text).join(''));
  });

  it('that is a refusal declines and calls no tool', () => {
    expect(responseWith('refusal')).toMatchObject({ finishReason: 'refusal', toolCalls: [] });
  });
});

describe('a turn of the simulated model', () => {
  it('without a profile is its answer', () => {
    expect(simulateTurn(writing, solver, 0)).toEqual({ kind: 'answered', response: whole });
  });

  it.each(profiles)('under $name is served under the name of world and profile', (faults) => {
    const turns = seeded(writing).map((request) => simulateTurn(request, { ...solver, faults }, 0));
    const served = turns.flatMap((turn) => (turn.kind === 'answered' ? [turn.response.servedModel] : []));
    expect(new Set(served)).toEqual(new Set([`simulated/null+${faults.name}`]));
  });
});
