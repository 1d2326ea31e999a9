import { plainText } from '../domain/plain-text.ts';
import { commandText } from '../report/command-text.ts';
import { pointsText, spanText, tokensText } from '../report/number-text.ts';
import { outcomeText } from '../report/outcome-text.ts';
import { JudgeReport } from '../schema/judgement.ts';
import type { AttemptRecord } from '../schema/record.ts';
import type { DataHome } from '../services/data-home.ts';
import type { CommandContext } from './context.ts';
import { loggedCommands } from './logged-commands.ts';

/** Lines of the harness's own log that are printed. */
const logLines = 40;

/** What is on record of one attempt: how it ended, what it used, its commands, its judgement, where its files are. */
export async function showAttempt(context: CommandContext, home: DataHome, record: AttemptRecord): Promise<void> {
  const { terminal, dependencies } = context;
  const { palette } = terminal;
  const { usage, wallMs, outcome, key, epoch, task, revision, phase, blobs } = record;
  const read = async (role: string): Promise<string> => {
    const digest = blobs[role];
    return digest === undefined ? '' : (await dependencies.readBlob(home, digest)).toString('utf8').trimEnd();
  };
  const section = (title: string, lines: readonly string[]): void => {
    // What a jail wrote may hold escape sequences.
    if (lines.length > 0)
      terminal.print([palette.dim(title), ...lines.map((line) => ` ${plainText(line)}`)].join('\n'));
  };
  terminal.print(
    `${palette.bold(key.slice(0, 12))}#${epoch}  ${task}  ${outcomeText(outcome)}     revision sha256:${revision.slice(0, 8)}…, ${phase}`,
  );
  terminal.print(
    ` ${usage.calls} calls (${usage.retries} retries, ${usage.replayed} from the record) · ${tokensText(usage.tokensReported)} tokens reported, ${tokensText(usage.tokensCharged)} charged · ${spanText(wallMs)}`,
  );
  section(
    'commands',
    loggedCommands(await read('commands')).map((command) => commandText(command, terminal.columns)),
  );
  section('judgement', criterionLines(await read('judge')));
  section('harness log, last lines', (await read('harnessLog')).split('\n').filter(Boolean).slice(-logLines));
  section(
    'files',
    Object.entries(blobs).map(([role, digest]) => `${role.padEnd(12)}${blobPath(home, digest)}`),
  );
}

function criterionLines(text: string): string[] {
  if (text === '') return [];
  return JudgeReport.parse(JSON.parse(text)).criteria.map(
    ({ status, earned, weight, text: wanted, observed }) =>
      `${status.padEnd(8)}${pointsText(100 * earned * weight)} of ${pointsText(100 * weight)}  ${wanted}${status === 'pass' || observed === '' ? '' : `; seen: ${observed}`}`,
  );
}

function blobPath({ blobs }: DataHome, digest: string): string {
  return `${blobs}/sha256/${digest.slice(0, 2)}/${digest}`;
}
