import { byteDigest } from '../../adapters/byte-digest.ts';
import type { LeaseCall, LeaseReply } from '../../adapters/lease-client.ts';
import type { GatewayPort } from '../../contract/gateway-port.ts';
import { isAnnealError } from '../../domain/errors.ts';
import { moneyText } from '../../domain/money-text.ts';
import type { CallRow } from '../../schema/call-row.ts';
import { modelBinding } from '../../schema/experiment-registration.ts';
import { ArmName, AttemptKey, ExperimentId, type Sha256 } from '../../schema/ids.ts';
import type { Lease } from '../../schema/lease.ts';
import type { ToolDefinition } from '../../schema/model-call.ts';
import { fail, ok, warn, type Check } from './check.ts';
import type { LiveModel } from './live-models.ts';
import { parsedJson } from '../../domain/parsed-json.ts';

/** What a probe goes through. */
export interface ProbeDependencies {
  readonly gateway: GatewayPort;
  readonly call: (lease: Lease, call: number, request: LeaseCall) => Promise<LeaseReply>;
  /** Milliseconds since 1970; no two probes of a model at the same one. */
  readonly clock: () => number;
}

type RealSettings = Exclude<LiveModel['settings'], { provider: 'simulated' }>;

/** Output of a probe is short; a model that thinks first needs some room for it. */
const outputCap = 1024;
const tool: ToolDefinition = {
  name: 'report_word',
  description: 'Report one word.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

/**
 * Three small calls to one model, through the gateway and its ledger as an experiment's go: a plain one, one that has to
 * call a tool, one that is streamed. They are booked under an account of their own, in no experiment's totals.
 */
export async function probeModel(dependencies: ProbeDependencies, model: LiveModel): Promise<Check[]> {
  const { gateway, clock } = dependencies;
  const { settings } = model;
  const who = model.roles.join('+');
  if (settings.provider === 'simulated') {
    return [ok(`${who} model`, `simulated, world ${settings.world}: no key, no cost, no call to make`)];
  }
  const account = accountOf(model);
  const register = (stream: boolean) =>
    gateway.registerExperiment({
      experimentId: account.id,
      configDigest: account.digest,
      models: { solver: bindingOf(model, stream) },
      budgets: { solver: null, updater: null, judge: null },
      queries: 0,
      prices: { solver: model.price },
    });
  try {
    await register(false);
  } catch (error) {
    if (!isAnnealError(error, 'ANL-5005')) throw error;
    return [fail(`${who} key`, error.why ?? error.message, error.next)];
  }
  const attemptKey = AttemptKey.parse(byteDigest(`${account.digest} ${clock()}`));
  const lease = await gateway.openLease({
    experimentId: account.id,
    arm: ArmName.parse('doctor'),
    role: 'solver',
    attemptKey,
    epoch: 1,
    limits: { calls: 12, tokens: 1_000_000 },
    seed: 7,
  });
  const replies: LeaseReply[] = [];
  try {
    replies.push(await dependencies.call(lease, 1, ask('Reply with the single word: ready')));
    if (replies[0]?.kind === 'answered') {
      const request = ask('Call the tool report_word with the word "ready". Do not answer in text.');
      replies.push(await dependencies.call(lease, 2, { ...request, tools: [tool] }));
      await register(true);
      replies.push(await dependencies.call(lease, 3, ask('Reply with the single word: streamed')));
    }
  } finally {
    await gateway.closeLease({ attemptKey, epoch: 1, lease: lease.lease });
  }
  const { calls } = await gateway.listCalls({ experimentId: account.id, limit: 10_000 });
  const rows = calls.filter((row) => row.attemptKey === attemptKey);
  return checksOf(model, who, replies, rows, account.id);
}

function checksOf(
  model: LiveModel,
  who: string,
  [plain, tools, streamed]: readonly (LeaseReply | undefined)[],
  rows: readonly CallRow[],
  account: string,
): Check[] {
  const { settings } = model;
  if (settings.provider === 'simulated') return [];
  const at = new URL(settings.baseUrl).host;
  const key = settings.keyVariable === null ? 'no key is needed' : `${settings.keyVariable} is accepted`;
  const cost = costCheck(model, who, rows, account);
  if (plain?.kind !== 'answered') {
    const fix = `${refusalFix(settings, at, lastRow(rows, 1)?.code ?? '')}, then: anneal down     and the same again`;
    return [fail(`${who} key`, `${settings.model} at ${at} did not answer: ${whyOf(rows, 1)}`, fix), cost];
  }
  return [
    ok(`${who} key`, `${key} by ${at}, ${settings.model} answers`),
    needed(model, toolCheck(who, tools, rows)),
    usageCheck(who, rows),
    streamed?.kind === 'answered'
      ? ok(`${who} streaming`, 'a streamed reply came whole')
      : fail(`${who} streaming`, `no streamed reply: ${whyOf(rows, 3)}`, 'leave out stream: true for this model'),
    servedCheck(model, who, rows),
    cost,
  ];
}

/** Updaters and judges are asked for text alone: to them tools that are not called are no more than worth knowing. */
function needed({ roles }: LiveModel, check: Check): Check {
  return check.state === 'fail' && !roles.includes('solver') ? { ...check, state: 'warn' } : check;
}

function toolCheck(who: string, reply: LeaseReply | undefined, rows: readonly CallRow[]): Check {
  const fix = 'take a model or an endpoint that calls tools: the harness H0 works by them';
  if (reply?.kind !== 'answered') return fail(`${who} tools`, `no reply: ${whyOf(rows, 2)}`, fix);
  const [call] = reply.response.toolCalls;
  if (call?.name !== tool.name) return fail(`${who} tools`, 'it answered without the tool it was asked to call', fix);
  return parsedJson(call.arguments) !== undefined
    ? ok(`${who} tools`, 'calls the tool it is asked to call, with arguments that parse')
    : fail(`${who} tools`, 'called the tool with arguments that are no JSON', fix);
}

function usageCheck(who: string, rows: readonly CallRow[]): Check {
  const answered = rows.filter(({ state }) => state === 'settled');
  const told = answered.filter(({ basis }) => basis === 'reported');
  const sum = (of: (row: CallRow) => number | null): number => told.reduce((total, row) => total + (of(row) ?? 0), 0);
  const detail = `told in ${told.length} of ${answered.length} replies: ${sum((row) => row.reportedInput)} tokens in, ${sum((row) => row.reportedOutput)} out`;
  return told.length === answered.length
    ? ok(`${who} usage`, detail)
    : warn(`${who} usage`, detail, 'none needed: a call without usage is charged at its upper bound');
}

function servedCheck({ settings }: LiveModel, who: string, rows: readonly CallRow[]): Check {
  const served = [...new Set(rows.flatMap(({ servedModel }) => servedModel ?? []))];
  const policy = settings.provider === 'simulated' ? 'exact' : settings.servedModel;
  const refused = rows.find(({ code }) => code === 'served_model_changed');
  const detail = `${served.join(', ') || 'not told'} (servedModel: ${policy})`;
  return refused === undefined
    ? ok(`${who} served`, detail)
    : fail(`${who} served`, detail, 'name the model that is served, or set servedModel: prefix or record');
}

/** Cost is told for what was charged, whether it was answered or not. */
function costCheck({ price }: LiveModel, who: string, rows: readonly CallRow[], account: string): Check {
  const booked = `booked under the doctor's account ${account}, in no experiment's totals`;
  const tokens = rows.reduce((sum, row) => sum + (row.charged ?? 0), 0);
  const requests = `${rows.length} ${rows.length === 1 ? 'request' : 'requests'}, ${tokens} tokens`;
  if (price.kind === 'unknown') {
    const fix = 'add it to a price file and name that in the experiment: prices: FILE';
    return warn(`${who} cost`, `${requests}, price unknown: ${price.why}; ${booked}`, fix);
  }
  const spent = rows.reduce((sum, row) => sum + (row.chargedMicroUsd ?? 0), 0);
  return ok(`${who} cost`, `${price.kind === 'free' ? 'no cost' : moneyText(spent)} for ${requests}; ${booked}`);
}

function whyOf(rows: readonly CallRow[], call: number): string {
  const last = lastRow(rows, call);
  if (last === undefined) return 'it was not sent';
  return [last.code ?? last.state, last.detail].filter((part) => part !== null && part !== '').join(': ');
}

function lastRow(rows: readonly CallRow[], call: number): CallRow | undefined {
  return rows.findLast((row) => row.call === call);
}

/** What to change where a model does not answer, by the code of its refusal. */
function refusalFix(settings: RealSettings, at: string, code: string): string {
  switch (code) {
    case 'key_refused':
      return settings.keyVariable === null
        ? `${at} wants a key: name its variable by keyVariable in the experiment and export it`
        : `set the value of ${settings.keyVariable} to a key that ${at} accepts: export ${settings.keyVariable}=…`;
    case 'credit_gone':
      return `add credit to the account of ${settings.keyVariable ?? 'this key'} at ${at}`;
    case 'model_unknown':
      return `correct model: ${settings.model} in the experiment to one that ${at} serves`;
    case 'not_reachable':
      return `correct baseUrl: ${settings.baseUrl} in the experiment, or start what listens there`;
    default:
      return 'correct model, baseUrl or sampling in the experiment';
  }
}

function ask(text: string): LeaseCall {
  return { messages: [{ role: 'user', content: [{ type: 'text', text }] }] };
}

function bindingOf({ settings }: LiveModel, stream: boolean) {
  const binding = modelBinding(settings, null);
  const maxOutputTokens = Math.min(outputCap, binding.sampling.maxOutputTokens);
  return { ...binding, stream, sampling: { ...binding.sampling, maxOutputTokens } };
}

/** The same model always has the same account. */
function accountOf({ settings }: LiveModel): { readonly id: ExperimentId; readonly digest: Sha256 } {
  const digest = byteDigest(`doctor ${JSON.stringify(settings)}`);
  return { id: ExperimentId.parse(`exp_${digest.slice(0, 8)}`), digest };
}
