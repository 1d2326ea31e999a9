import { moneyText } from '../../domain/money-text.ts';
import { countText, deltaText, pointsText, spanText, tokensText } from '../layout/number-text.ts';
import { plainPalette, type Palette, type ScreenSettings } from '../layout/palette.ts';
import { wrapParts } from '../layout/wrap-parts.ts';
import type { Allowance, ArmStatus, AttemptCounts, InFlight, Need, Status, StatusPass } from './status.ts';

/** Width of the words at the left. */
const labelWidth = 11;
/** Attempts in flight that are shown one by one, where not all are wanted. */
export const flightsShown = 4;

/** What of the attempts in flight is shown. */
export interface FlightView {
  /** All of them instead of the first few. */
  readonly all: boolean;
  /** `<key>#<epoch>` of the one that is shown in full, null for none. */
  readonly attempt: string | null;
}

/** The screen of `anneal status` and `anneal watch`, without its closing line. */
export function renderStatus(
  status: Status,
  { columns, palette }: ScreenSettings = { columns: 100, palette: plainPalette },
  view: FlightView = { all: false, attempt: null },
): string {
  return [
    ...headLines(status, columns, palette),
    ...status.labels.map((label) => palette.yellow(label)),
    labelled('attempts', attemptsText(status.counts), palette),
    ...flightLines(status, view.all, columns, palette),
    ...(view.attempt === null ? [] : attemptLines(status.inFlight, view.attempt, palette)),
    ...passLines(status, columns, palette),
    ...status.budgets.flatMap((arm) => armLines(arm, palette)),
    ...tokenLines(status, palette),
    ...moneyLines(status, palette),
    ...status.needs.flatMap((need, index) => needLines(need, index === 0 ? 'needs you' : '', palette)),
  ].join('\n');
}

function headLines(status: Status, columns: number, palette: Palette): string[] {
  const { experiment, name, state, phase, arm, lanes, etaMs } = status;
  const open = state !== 'complete' && state !== 'cancelled';
  const parts = [
    `${palette.bold(experiment)} ${name}`,
    state === 'running' ? palette.green(state) : state === 'failed' ? palette.red(state) : state,
    ...(open ? [`phase ${phase}${arm === null ? '' : ` of ${arm}`}`, countText(lanes, 'lane')] : []),
    ...(etaMs === null ? [] : [`about ${spanText(etaMs)} to go in this phase`]),
  ];
  return wrapParts(parts, columns).map((line, index) => (index === 0 ? line : ` ${line}`));
}

/** `57 scored (9 agent error) · 1 infra of 66`. */
function attemptsText({ scored, agentErrors, infra, cancelled, planned }: AttemptCounts): string {
  const parts = [
    `${scored} scored${agentErrors > 0 ? `, ${agentErrors} of them with agent error` : ''}`,
    `${infra} infra`,
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    `${planned - scored - infra - cancelled} to come`,
  ];
  return `${parts.join(' · ')}     coverage ${scored}/${planned}`;
}

/** Attempts under way by how far they are. */
function flightLines({ inFlight }: Status, all: boolean, columns: number, palette: Palette): string[] {
  const count = all ? inFlight.length : flightsShown;
  const texts = inFlight.map(
    ({ role, calls, callLimit, tokens, tokenLimit }) =>
      `${role === 'solver' ? '' : `${role} `}call ${calls}/${callLimit}, ${tokensText(tokens)}/${tokensText(tokenLimit)}`,
  );
  const shown = [...texts.slice(0, count), ...(texts.length > count ? [`… ${texts.length - count} more`] : [])];
  return wrapParts(shown, columns - labelWidth - 1).map((text, index) =>
    labelled(index === 0 ? 'in flight' : '', text, palette),
  );
}

/** One attempt in flight. Its task is told once it is on record. */
function attemptLines(inFlight: readonly InFlight[], wanted: string, palette: Palette): string[] {
  const at = inFlight.findIndex(({ attempt, epoch }) => `${attempt}#${epoch}` === wanted);
  const found = inFlight[at];
  const name = `${wanted.slice(0, 12)}${wanted.slice(wanted.indexOf('#'))}`;
  if (found === undefined) return [labelled('attempt', `${palette.bold(name)} has ended`, palette)];
  const { role, arm, calls, callLimit, retries, replayed, tokensReported, tokens, tokenLimit, waitedMs } = found;
  const rare = [
    ...(retries > 0 ? [countText(retries, 'retry', 'retries')] : []),
    ...(replayed > 0 ? [`${replayed} answered from the record`] : []),
    ...(waitedMs >= 1000 ? [`waited ${spanText(waitedMs)} for the provider`] : []),
    ...(found.lastFault === null ? [] : [`last fault ${found.lastFault}`]),
  ];
  return [
    labelled(
      'attempt',
      `${palette.bold(name)}   ${role} of ${arm}   ${at + 1} of ${inFlight.length} in flight`,
      palette,
    ),
    labelled(
      '',
      `call ${calls} of ${callLimit} · ${tokensText(tokensReported)} reported, ${tokensText(tokens)} charged of ${tokensText(tokenLimit)} tokens`,
      palette,
    ),
    ...(rare.length === 0 ? [] : [labelled('', rare.join(' · '), palette)]),
  ];
}

function passLines({ passes, budgets, state }: Status, columns: number, palette: Palette): string[] {
  const several = budgets.length > 1;
  const open = state !== 'complete' && state !== 'cancelled';
  return (['selection', 'feedback', 'final'] as const).flatMap((split) => {
    const texts = passes.filter((pass) => pass.split === split).map((pass) => passText(pass, several, open));
    return wrapParts(texts, columns - labelWidth - 1).map((text, index) =>
      labelled(index === 0 ? split : '', text, palette),
    );
  });
}

function passText(pass: StatusPass, several: boolean, open: boolean): string {
  const { split, arm, revision, scored, planned, mean, delta, infra } = pass;
  const counts = `${scored}/${planned}${infra > 0 ? `, ${infra} infra` : ''}`;
  if (split === 'final') {
    const progress = scored + infra === 0 ? `${planned} tasks` : `${counts} scored`;
    return open ? `${progress}, sealed until the report` : progress;
  }
  const name = several && arm !== null ? `${arm} ${revision ?? ''}` : (revision ?? '');
  const change = delta === null || revision === 'h0' ? '' : ` ${deltaText(delta)}`;
  return mean === null ? `${name} ${counts}` : `${name} ${pointsText(mean)}${change} (${counts})`;
}

function armLines(arm: ArmStatus, palette: Palette): string[] {
  if (arm.updater === 'static') return [labelled(arm.arm, `static, H0 as it is: ${searchText(arm)}`, palette)];
  const { candidates, selectionQueries, updaterTokens } = arm;
  const limit = tokensText(updaterTokens.limit);
  const tokens =
    updaterTokens.used === null
      ? `at most ${limit}`
      : `${tokensText(updaterTokens.reported)} / ${tokensText(updaterTokens.used)} of ${limit}`;
  const used = `candidates ${usedText(candidates)} · queries ${usedText(selectionQueries)} · tokens ${tokens}`;
  return [labelled(arm.arm, used, palette), labelled('', searchText(arm), palette)];
}

function searchText({ state, ended, searchSeconds: { used, limit } }: ArmStatus): string {
  const time =
    used === null || state === 'waiting' ? '' : ` after ${spanText(used * 1000)} of ${spanText(limit * 1000)}`;
  if (ended !== null) return `search ended${time}: ${ended}`;
  return state === 'searching' ? `searching${time.replace(' after', ' for')}` : 'waits for its turn';
}

function usedText({ used, limit }: Allowance): string {
  return `${used ?? '?'} of ${limit}`;
}

function tokenLines({ tokens }: Status, palette: Palette): string[] {
  const parts = (['solver', 'updater', 'judge'] as const)
    .filter((role) => (tokens[role].charged ?? 0) > 0)
    .map((role) => `${role} ${tokensText(tokens[role].reported)} / ${tokensText(tokens[role].charged)}`);
  return parts.length === 0 ? [] : [labelled('tokens', `${parts.join(' · ')} (reported / charged)`, palette)];
}

/** Money and caps: used, in flight, held for the finals and arms to come, and left. Nothing where all is free and uncapped. */
function moneyLines({ money, caps }: Status, palette: Palette): string[] {
  const capped = caps.map((cap, index) => {
    const amount = (value: number): string => (cap.kind === 'money' ? moneyText(value) : tokensText(value));
    const parts = [
      `${amount(cap.used)} of ${amount(cap.limit)}${cap.kind === 'money' ? '' : ' solver tokens'}`,
      ...(cap.reserved > 0 ? [`${amount(cap.reserved)} in flight`] : []),
      ...(cap.held > 0 ? [`${amount(cap.held)} held for the finals and arms to come`] : []),
      `${amount(cap.left)} left`,
    ];
    return labelled(index === 0 ? 'caps' : '', parts.join(' · '), palette);
  });
  if (money === null || (money.free && caps.length === 0)) return capped;
  const unknown = money.unpricedCalls === 0 ? '' : ` and ${countText(money.unpricedCalls, 'call')} of unknown price`;
  return caps.some(({ kind }) => kind === 'money')
    ? capped
    : [labelled('money', `${moneyText(money.microUsd)}${unknown}, no cap`, palette), ...capped];
}

/** What it is, why, what to do, what was not spent: each on a line of its own where there is a why. */
function needLines({ what, command, why, notSpent }: Need, label: string, palette: Palette): string[] {
  if (why === undefined) return [labelled(label, `${palette.red(what)}     ${command}`, palette)];
  return [
    labelled(label, palette.red(what), palette),
    labelled('', why, palette),
    labelled('', `next ${command}`, palette),
    ...(notSpent === undefined ? [] : [labelled('', palette.dim(notSpent), palette)]),
  ];
}

function labelled(label: string, text: string, palette: Palette): string {
  return ` ${palette.dim(label.padEnd(labelWidth))}${text}`;
}
