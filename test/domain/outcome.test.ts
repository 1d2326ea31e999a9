import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyRun, type KeeperEnd, type ReportedEnd, type RunEvidence } from '../../src/domain/outcome.ts';
import type { LeaseUsage } from '../../src/schema/lease.ts';
import { RunClass } from '../../src/schema/outcome.ts';

const usage: LeaseUsage = {
  calls: 12,
  retries: 0,
  replayed: 0,
  tokensReported: 40_000,
  tokensCharged: 41_000,
  tokensInherited: 0,
  unknownRows: 0,
  waitedMs: 0,
  limitHit: null,
  lastFault: null,
  servedModels: ['m'],
  divergedAtCall: null,
};
const submitted: ReportedEnd = { exitStatus: 'Submitted', exceptionSignature: null };
const clean: KeeperEnd = { kind: 'exited', code: 0 };

function evidence(changes: Partial<Omit<RunEvidence, 'usage'>> & { usage?: Partial<LeaseUsage> } = {}): RunEvidence {
  return { keeper: clean, reported: submitted, cancelledBy: null, ...changes, usage: { ...usage, ...changes.usage } };
}

const infraFault = { fault: 'infrastructure', code: 'http_503' } as const;
const givenUp = { lastFault: infraFault, unserved: 'http_503' } as const;
const unavailable: ReportedEnd = { exitStatus: 'ProviderUnavailable', exceptionSignature: null };

describe('classifyRun', () => {
  it.each<[string, RunEvidence, object]>([
    ['a clean exit after a submission has ended', evidence(), { kind: 'ended' }],
    [
      'a clean exit without an outcome file',
      evidence({ reported: null }),
      { kind: 'agent_error', cause: 'no_submission' },
    ],
    [
      'a crash that the run reports itself',
      evidence({ reported: { exitStatus: 'AttributeError', exceptionSignature: 'AttributeError: list' } }),
      { kind: 'agent_error', cause: 'crash', signature: 'AttributeError: list' },
    ],
    [
      'an exception hidden behind a submission',
      evidence({ reported: { exitStatus: 'Submitted', exceptionSignature: 'KeyError: x' } }),
      { kind: 'agent_error', cause: 'crash', signature: 'KeyError: x' },
    ],
    [
      'a crash status without a signature',
      evidence({ reported: { exitStatus: 'ValueError', exceptionSignature: null } }),
      { kind: 'agent_error', cause: 'crash', signature: 'ValueError' },
    ],
    [
      'three format errors in a row',
      evidence({ reported: { exitStatus: 'RepeatedFormatError', exceptionSignature: null } }),
      { kind: 'agent_error', cause: 'no_submission' },
    ],
    [
      'a token stop that the run reports',
      evidence({ reported: { exitStatus: 'TokenBudgetExceeded', exceptionSignature: null } }),
      { kind: 'agent_error', cause: 'token_limit' },
    ],
    [
      'an exit code other than 0',
      evidence({ keeper: { kind: 'exited', code: 7 }, reported: submitted }),
      { kind: 'agent_error', cause: 'crash', signature: 'exit 7' },
    ],
    [
      'a jail process killed by a signal',
      evidence({ keeper: { kind: 'signalled', signal: 'SIGSEGV' } }),
      { kind: 'agent_error', cause: 'crash', signature: 'SIGSEGV' },
    ],
    ['the wall limit', evidence({ keeper: { kind: 'wall_limit' } }), { kind: 'agent_error', cause: 'wall_limit' }],
    [
      'a gateway that was away up to the wall limit',
      evidence({ keeper: { kind: 'gateway_lost' } }),
      { kind: 'infrastructure', phase: 'gateway', reason: 'not reachable' },
    ],
    [
      'the jail running out of its own memory',
      evidence({ keeper: { kind: 'out_of_memory' } }),
      { kind: 'agent_error', cause: 'out_of_memory' },
    ],
    ['too much output', evidence({ keeper: { kind: 'output_limit' } }), { kind: 'agent_error', cause: 'output_limit' }],
    ['the call limit', evidence({ usage: { limitHit: 'calls' } }), { kind: 'agent_error', cause: 'call_limit' }],
    [
      'the token limit, whatever the run says',
      evidence({ usage: { limitHit: 'tokens' }, reported: submitted }),
      { kind: 'agent_error', cause: 'token_limit' },
    ],
    [
      'context overflow',
      evidence({ usage: { lastFault: { fault: 'agent', code: 'context_overflow' } } }),
      { kind: 'agent_error', cause: 'context_overflow' },
    ],
    [
      'a refusal',
      evidence({ usage: { lastFault: { fault: 'agent', code: 'refusal' } } }),
      { kind: 'agent_error', cause: 'refusal' },
    ],
    [
      'a provoked provider 400',
      evidence({ usage: { lastFault: { fault: 'agent', code: '400' } } }),
      { kind: 'agent_error', cause: 'invalid_request' },
    ],
    [
      'a call that the provider failed',
      evidence({ usage: givenUp, reported: unavailable }),
      { kind: 'infrastructure', phase: 'provider', reason: 'http_503' },
    ],
    [
      'the wall limit during a provider outage',
      evidence({ usage: givenUp, reported: unavailable, keeper: { kind: 'wall_limit' } }),
      { kind: 'infrastructure', phase: 'provider' },
    ],
    [
      'a jail that did not start',
      evidence({ keeper: { kind: 'start_failed', reason: 'mount' } }),
      { kind: 'infrastructure', phase: 'keeper', reason: 'mount' },
    ],
    [
      'a keeper that is gone',
      evidence({ keeper: { kind: 'lost', reason: 'reboot' } }),
      { kind: 'infrastructure', phase: 'host', reason: 'reboot' },
    ],
    [
      'the solver budget of the experiment being used up',
      evidence({ usage: { limitHit: 'budget' } }),
      { kind: 'cancelled', by: 'budget' },
    ],
    [
      'a cancelled run, whatever else happened',
      evidence({ cancelledBy: 'person', keeper: { kind: 'lost', reason: 'x' } }),
      { kind: 'cancelled', by: 'person' },
    ],
    [
      'a jail that ended itself beside a provider fault',
      evidence({ usage: givenUp, keeper: { kind: 'signalled', signal: 'SIGKILL' } }),
      { kind: 'agent_error', cause: 'crash', signature: 'SIGKILL' },
    ],
    [
      'an exit code other than 0 beside a provider fault',
      evidence({ usage: givenUp, keeper: { kind: 'exited', code: 1 } }),
      { kind: 'agent_error', cause: 'crash', signature: 'exit 1' },
    ],
    [
      'own memory exhaustion beside a provider fault',
      evidence({ usage: givenUp, keeper: { kind: 'out_of_memory' } }),
      { kind: 'agent_error', cause: 'out_of_memory' },
    ],
    [
      'a call refused because its role is halted',
      evidence({ usage: { unserved: 'halted' }, reported: unavailable }),
      { kind: 'infrastructure', phase: 'provider', reason: 'halted' },
    ],
    [
      'a call left by a gateway that stopped',
      evidence({ usage: { unserved: 'gateway_stopping' }, reported: unavailable }),
      { kind: 'infrastructure', phase: 'gateway', reason: 'gateway_stopping' },
    ],
    [
      'a fault that a retry mended, before a submission',
      evidence({ usage: { retries: 2, lastFault: null, unserved: null } }),
      { kind: 'ended' },
    ],
    [
      'a submission after a call that was given up',
      evidence({ usage: givenUp, reported: submitted }),
      { kind: 'ended' },
    ],
    [
      'a crash in what the harness did about a call that was given up',
      evidence({ usage: givenUp, reported: { exitStatus: 'KeyError', exceptionSignature: 'KeyError: choices' } }),
      { kind: 'agent_error', cause: 'crash', signature: 'KeyError: choices' },
    ],
    [
      'an exception under the name of a provider that is away',
      evidence({ usage: givenUp, reported: { ...unavailable, exceptionSignature: 'ValueError: x' } }),
      { kind: 'agent_error', cause: 'crash', signature: 'ValueError: x' },
    ],
    [
      'a clean exit without a word after a call that was given up',
      evidence({ usage: givenUp, reported: null }),
      { kind: 'agent_error', cause: 'no_submission' },
    ],
    [
      'a run that left before a retry could mend its last call, whatever it says',
      evidence({ usage: { lastFault: infraFault, unserved: null }, reported: unavailable }),
      { kind: 'agent_error', cause: 'crash', signature: 'ProviderUnavailable' },
    ],
    [
      'a run that says the provider was away where the gateway answered everything',
      evidence({ reported: unavailable }),
      { kind: 'agent_error', cause: 'crash', signature: 'ProviderUnavailable' },
    ],
    [
      'the wall limit after a fault that the run did not wait out',
      evidence({ usage: { lastFault: infraFault, unserved: null }, keeper: { kind: 'wall_limit' } }),
      { kind: 'agent_error', cause: 'wall_limit' },
    ],
    [
      "the attempt's own limit before a call that was given up",
      evidence({ usage: { ...givenUp, limitHit: 'tokens' }, reported: unavailable }),
      { kind: 'agent_error', cause: 'token_limit' },
    ],
  ])('classes %s', (_, given, expected) => {
    expect(classifyRun(given)).toMatchObject(expected);
  });

  const reports = fc.option(fc.record({ exitStatus: fc.string(), exceptionSignature: fc.option(fc.string()) }));
  const jailEnds = fc.oneof(
    fc.record({ kind: fc.constant('exited' as const), code: fc.integer({ min: 0, max: 255 }) }),
    fc.record({ kind: fc.constant('signalled' as const), signal: fc.constantFrom('SIGKILL', 'SIGSEGV', 'SIGTERM') }),
    fc.constantFrom(
      { kind: 'wall_limit' } as const,
      { kind: 'out_of_memory' } as const,
      { kind: 'output_limit' } as const,
    ),
  );

  it('never takes anything that a jail can cause for infrastructure', () => {
    fc.assert(
      fc.property(
        reports,
        jailEnds,
        fc.constantFrom(null, { fault: 'agent' as const, code: '400' }, infraFault),
        (reported, keeper, lastFault) => {
          expect(classifyRun(evidence({ reported, keeper, usage: { lastFault } })).kind).not.toBe('infrastructure');
        },
      ),
    );
  });

  it('takes no word of a run for infrastructure that the gateway did not see itself, and lets none undo worse', () => {
    fc.assert(
      fc.property(reports, jailEnds, fc.option(fc.constantFrom('halted', 'http_500')), (reported, keeper, unserved) => {
        const run = classifyRun(evidence({ reported, keeper, usage: { unserved } }));
        if (run.kind !== 'infrastructure') return;
        expect(unserved).not.toBeNull();
        expect(keeper.kind === 'wall_limit' || reported?.exitStatus === 'ProviderUnavailable').toBe(true);
      }),
    );
  });

  it('never lets what the run wrote improve on an unclean end', () => {
    fc.assert(
      fc.property(reports, jailEnds, (reported, keeper) => {
        fc.pre(keeper.kind !== 'exited' || keeper.code !== 0);
        expect(classifyRun(evidence({ reported, keeper })).kind).toBe('agent_error');
      }),
    );
  });

  it('gives only values that the record schema takes, whatever bytes a run reports', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (signature) => {
        const run = classifyRun(evidence({ reported: { exitStatus: 'X', exceptionSignature: signature } }));
        expect(RunClass.safeParse(run).success).toBe(true);
        expect(run).toMatchObject({ kind: 'agent_error', signature: expect.stringMatching(/^[\x20-\x7e]{0,200}$/) });
      }),
    );
  });
});
