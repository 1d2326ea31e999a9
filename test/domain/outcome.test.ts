import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyRun,
  joinJudgement,
  type KeeperEnd,
  type ReportedEnd,
  type RunEvidence,
} from '../../src/domain/outcome.ts';
import type { LeaseUsage } from '../../src/schema/lease.ts';
import { Outcome, RunClass } from '../../src/schema/outcome.ts';
import { Reward } from '../../src/schema/units.ts';

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

const infraFault = { fault: 'infrastructure', code: '503' } as const;

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
      evidence({ usage: { lastFault: infraFault } }),
      { kind: 'infrastructure', phase: 'provider', reason: '503' },
    ],
    [
      'the wall limit during a provider outage',
      evidence({ usage: { lastFault: infraFault }, keeper: { kind: 'wall_limit' } }),
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
      evidence({ usage: { lastFault: infraFault }, keeper: { kind: 'signalled', signal: 'SIGKILL' } }),
      { kind: 'agent_error', cause: 'crash', signature: 'SIGKILL' },
    ],
    [
      'an exit code other than 0 beside a provider fault',
      evidence({ usage: { lastFault: infraFault }, keeper: { kind: 'exited', code: 1 } }),
      { kind: 'agent_error', cause: 'crash', signature: 'exit 1' },
    ],
    [
      'own memory exhaustion beside a provider fault',
      evidence({ usage: { lastFault: infraFault }, keeper: { kind: 'out_of_memory' } }),
      { kind: 'agent_error', cause: 'out_of_memory' },
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
        fc.constantFrom(null, { fault: 'agent' as const, code: '400' }),
        (reported, keeper, lastFault) => {
          expect(classifyRun(evidence({ reported, keeper, usage: { lastFault } })).kind).not.toBe('infrastructure');
        },
      ),
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

describe('joinJudgement', () => {
  const reward = Reward.parse(-0.2);
  const crash = { kind: 'agent_error', cause: 'crash', signature: 's' } as const;
  it.each([
    ['scores a run that ended', { kind: 'ended' }, { kind: 'judged', reward }, { kind: 'scored', reward: -0.2 }],
    [
      'counts a crash inside an evolved harness as scored_with_agent_error',
      crash,
      { kind: 'judged', reward },
      { kind: 'scored_with_agent_error', reward: -0.2, cause: 'crash', signature: 's' },
    ],
    [
      'keeps a failed judge as unscored, never as 0',
      { kind: 'ended' },
      { kind: 'failed', reason: 'r' },
      { kind: 'unscored_infra', phase: 'judge', reason: 'r' },
    ],
    [
      'keeps a failed judge of a crashed run as unscored',
      crash,
      { kind: 'failed', reason: 'r' },
      { kind: 'unscored_infra', phase: 'judge', reason: 'r' },
    ],
    [
      'takes a reward that is no number for a failed judge',
      { kind: 'ended' },
      { kind: 'judged', reward: Number.NaN as Reward },
      { kind: 'unscored_infra', phase: 'judge' },
    ],
    [
      'does not score infrastructure, even with a reward',
      { kind: 'infrastructure', phase: 'host', reason: 'r' },
      { kind: 'judged', reward },
      { kind: 'unscored_infra', phase: 'host', reason: 'r' },
    ],
    [
      'keeps a cancelled run cancelled',
      { kind: 'cancelled', by: 'p' },
      { kind: 'judged', reward },
      { kind: 'cancelled', by: 'p' },
    ],
  ] as const)('%s', (_, run, judge, expected) => {
    const outcome = joinJudgement(run, judge);
    expect(outcome).toMatchObject(expected);
    expect(Outcome.safeParse(outcome).success).toBe(true);
  });
});
