import { plainText } from '../../domain/plain-text.ts';
import type { Outcome, RunClass } from '../../schema/outcome.ts';
import type { AttemptStory, StoryCall, StoryEpoch, StoryJudgement } from './attempt-story.ts';
import { commandText } from './command-text.ts';
import { countText, pointsText, spanText, tokensText } from '../layout/number-text.ts';
import { outcomeText } from './outcome-text.ts';
import type { Palette, ScreenSettings } from '../layout/palette.ts';

/** Lines of the harness's own log that are shown where nothing else is asked for. */
const fewLogLines = 12;

/** The terminal, and how much of what lies behind an attempt is shown. */
interface AttemptScreen extends ScreenSettings {
  /** Lines of the harness's own log, from its end; a few without it. */
  readonly logLines?: number;
  /** Where a blob lies, by its digest; without it the files are left out. */
  readonly blobPath?: (digest: string) => string;
}

/** The screen of `anneal show` and of `anneal logs ATTEMPT`: what became of an attempt and why, then each restart as it went. */
export function renderAttempt(story: AttemptStory, screen: AttemptScreen): string {
  const { palette } = screen;
  const { key, task, split, revision, phase, arm, replicate, epochs, outcome } = story;
  const asked = phase === null ? 'not recorded yet' : `${phase}${arm === null ? '' : ` of ${arm}`}`;
  const repeat = replicate === 0 ? '' : `, replicate ${replicate}`;
  return [
    `${palette.bold(key.slice(0, 12))}  ${task}  ${split}     revision ${revision.name} (sha256:${revision.digest.slice(0, 8)}…)`,
    ...story.labels.map((label) => palette.yellow(label)),
    line('outcome', outcome === null ? 'it runs' : outcomeText(outcome), palette),
    line('why', whyText(story), palette),
    line('asked by', `${asked}${repeat}`, palette),
    ...epochs.flatMap((epoch) => ['', ...epochLines(epoch, screen)]),
  ].join('\n');
}

function line(label: string, text: string, palette: Palette): string {
  return ` ${palette.dim(label.padEnd(10))}${plainText(text)}`;
}

/** The run's class in words, then its judge's. */
function whyText({ outcome, epochs }: AttemptStory): string {
  const last = epochs.findLast(({ runClass }) => runClass !== null);
  if (outcome === null || last === undefined || last.runClass === null) return 'its keeper or its judge is at work';
  const restarts = epochs.length > 1 ? `${countText(epochs.length - 1, 'restart')}; ` : '';
  const judged = last.judgements.at(-1);
  return `${restarts}${runText(last.runClass)}${judged === undefined ? '' : `; ${judgeText(judged.outcome, judged.judgement)}`}`;
}

function runText(runClass: RunClass): string {
  switch (runClass.kind) {
    case 'ended':
      return 'the harness submitted and ended by itself';
    case 'agent_error':
      return `the harness ended with ${runClass.cause}${runClass.signature === '' ? '' : ` (${runClass.signature})`}; what it left is judged all the same`;
    case 'infrastructure':
      return `infrastructure failed in ${runClass.phase}: ${runClass.reason}; the run counts for nothing`;
    case 'cancelled':
      return `it was cancelled by ${runClass.by}`;
  }
}

function judgeText(outcome: Outcome, judgement: number): string {
  const name = judgement === 1 ? 'its judge' : `judgement ${judgement}`;
  switch (outcome.kind) {
    case 'scored':
    case 'scored_with_agent_error':
      return `${name} gave ${pointsText(100 * outcome.reward)}`;
    case 'unscored_infra':
      return `${name} failed: ${outcome.reason}`;
    case 'cancelled':
      return `${name} was not asked`;
  }
}

function epochLines(epoch: StoryEpoch, screen: AttemptScreen): string[] {
  const { columns, palette, logLines = fewLogLines, blobPath } = screen;
  const { usage, wallMs, runClass, outcome, sandbox } = epoch;
  const head = epoch.epoch === 1 ? '#1 start' : `#${epoch.epoch} restart ${epoch.epoch - 1}`;
  const begun = epoch.openedAt === null ? '' : `  ${timeOf(epoch.openedAt)}`;
  const ended = epoch.recordedAt === null ? ' to now' : ` to ${timeOf(epoch.recordedAt)}`;
  const state =
    runClass === null
      ? epoch.leaseState === 'open'
        ? 'it runs'
        : 'no record'
      : outcome === null
        ? ''
        : outcomeText(outcome);
  return [
    `${palette.bold(head)}${begun}${ended}  ${plainText(state)}`,
    ...(epoch.leases === null
      ? []
      : [
          line(
            'lease',
            `${countText(epoch.leases, 'supervisor')}, ${epoch.leaseState ?? ''}${inherited(epoch)}`,
            palette,
          ),
        ]),
    ...(usage === null
      ? []
      : [
          line(
            'used',
            `${countText(usage.calls, 'call')} (${countText(usage.retries, 'retry', 'retries')}, ${usage.replayed} from the record${usage.divergedAtCall === null ? '' : `, diverged at call ${usage.divergedAtCall}`}) · ${tokensText(usage.tokensReported)} tokens reported, ${tokensText(usage.tokensCharged)} charged${usage.unknownRows === 0 ? '' : `, ${countText(usage.unknownRows, 'request')} of unknown end`} · ${spanText(wallMs ?? 0)}${usage.waitedMs === 0 ? '' : `, ${spanText(usage.waitedMs)} of it waiting`}`,
            palette,
          ),
        ]),
    ...(sandbox === null ? [] : [line('sandbox', `level ${sandbox.level}, cgroup ${sandbox.cgroup}`, palette)]),
    ...section('calls', epoch.calls.map(callText), palette),
    ...section(
      'commands',
      epoch.commands.map((command) => commandText(command, columns)),
      palette,
    ),
    ...epoch.judgements.flatMap((judgement) => judgementLines(judgement, palette)),
    ...section('harness log, last lines', epoch.harnessLog.slice(-logLines), palette),
    ...(blobPath === undefined
      ? []
      : section(
          'files',
          Object.entries(epoch.blobs).map(([role, digest]) => `${role.padEnd(12)}${blobPath(digest)}`),
          palette,
        )),
  ];
}

function inherited({ elapsedBeforeMs }: StoryEpoch): string {
  return elapsedBeforeMs === null || elapsedBeforeMs === 0
    ? ''
    : `; ${spanText(elapsedBeforeMs)} of earlier restarts count`;
}

function section(title: string, lines: readonly string[], palette: Palette): string[] {
  // What a jail wrote may hold escape sequences.
  return lines.length === 0 ? [] : [` ${palette.dim(title)}`, ...lines.map((text) => `  ${plainText(text)}`)];
}

function callText({
  call,
  retry,
  state,
  at,
  milliseconds,
  reportedInput,
  reportedOutput,
  charged,
  code,
  served,
}: StoryCall): string {
  const reported = reportedInput === null ? 'no usage told' : `in ${reportedInput} out ${reportedOutput ?? 0}`;
  const number = `${call}${retry === 0 ? '' : `.${retry}`}`;
  const time = milliseconds === null ? '' : spanOf(milliseconds);
  const why = code === null ? '' : `  ${code}`;
  return `${number.padStart(4)}  ${timeOf(at)}  ${state.padEnd(8)} ${time.padStart(8)}  ${reported}, charged ${charged ?? 'not yet'}${why}${served === null ? '' : `  ${served}`}`;
}

function spanOf(milliseconds: number): string {
  return milliseconds < 10_000 ? `${milliseconds} ms` : spanText(milliseconds);
}

function judgementLines({ judgement, report, outcome }: StoryJudgement, palette: Palette): string[] {
  const title = judgement === 1 ? 'judgement' : `judgement ${judgement}`;
  if (report === null) return section(title, [judgeText(outcome, judgement)], palette);
  const faults = report.deliveryFaults.map(({ file, fault }) => `${fault.padEnd(8)}${file}`);
  const criteria = report.criteria.map(
    ({ status, earned, weight, text, observed }) =>
      `${status.padEnd(8)}${pointsText(100 * earned * weight)} of ${pointsText(100 * weight)}  ${text}${status === 'pass' || observed === '' ? '' : `; seen: ${observed}`}`,
  );
  return section(title, [...faults, ...criteria], palette);
}

function timeOf(at: string): string {
  return at.slice(11, 19);
}
