import { pointsText, spanText, tokensText } from '../report/number-text.ts';
import type { AttemptRecord } from '../schema/record.ts';
import type { DataHome } from '../services/data-home.ts';
import type { CommandContext } from './context.ts';

/** Lines of one recorded file that are printed. */
const linesShown = 40;

/** What is on record of one attempt: how it ended, what it used, its files, and the end of those that are logs. */
export async function showAttempt(context: CommandContext, home: DataHome, record: AttemptRecord): Promise<void> {
  const { terminal, dependencies } = context;
  const { palette } = terminal;
  const { usage, wallMs, outcome, key, epoch, task, revision, phase, blobs } = record;
  terminal.print(
    `${palette.bold(key.slice(0, 12))}#${epoch}  ${task}  revision sha256:${revision.slice(0, 8)}…  ${phase}  ${outcomeText(outcome)}`,
  );
  terminal.print(
    ` ${usage.calls} calls (${usage.retries} retries, ${usage.replayed} from the record) · ${tokensText(usage.tokensReported)} reported, ${tokensText(usage.tokensCharged)} charged · ${spanText(wallMs)}`,
  );
  for (const [role, digest] of Object.entries(blobs)) {
    terminal.print(` ${palette.dim(role.padEnd(20))}${blobPath(home, digest)}`);
  }
  for (const [role, digest] of Object.entries(blobs).filter(([name]) => /log/i.test(name))) {
    const lines = (await dependencies.readBlob(home, digest)).toString('utf8').trimEnd().split('\n');
    terminal.print(
      palette.dim(`--- ${role}${lines.length > linesShown ? `, last ${linesShown} of ${lines.length} lines` : ''}`),
    );
    terminal.print(lines.slice(-linesShown).join('\n'));
  }
}

function outcomeText(outcome: AttemptRecord['outcome']): string {
  switch (outcome.kind) {
    case 'scored':
      return `scored ${pointsText(100 * outcome.reward)}`;
    case 'scored_with_agent_error':
      return `scored ${pointsText(100 * outcome.reward)} with agent error ${outcome.cause}${outcome.signature === '' ? '' : ` (${outcome.signature})`}`;
    case 'unscored_infra':
      return `unscored: infrastructure, ${outcome.phase}: ${outcome.reason}`;
    case 'cancelled':
      return `cancelled by ${outcome.by}`;
  }
}

function blobPath({ blobs }: DataHome, digest: string): string {
  return `${blobs}/sha256/${digest.slice(0, 2)}/${digest}`;
}
