import type { TranscriptEntry } from '../schema/evidence.ts';
import { messageText } from './message-text.ts';
import { plainText } from './plain-text.ts';

/** Caps in characters. */
export interface TranscriptCaps {
  readonly perMessage: number;
  readonly total: number;
}

/** About 6,000 tokens. */
const defaultTranscriptCaps: TranscriptCaps = { perMessage: 3_000, total: 24_000 };

/**
 * A trajectory (mini-swe-agent's format, or anything else) as a shortened conversation. Total: what is no message
 * reads as nothing. The system message is left out, since it repeats prompt and playbook. Long messages keep both
 * ends; of a long run the first quarter and the last three quarters of the cap stay.
 */
export function transcriptOf(trajectory: unknown, caps: TranscriptCaps = defaultTranscriptCaps): TranscriptEntry[] {
  const messages =
    typeof trajectory === 'object' && trajectory !== null && 'messages' in trajectory ? trajectory.messages : [];
  if (!Array.isArray(messages)) return [];
  const entries = messages.flatMap((message: unknown): TranscriptEntry[] => {
    const role = roleOf(message);
    if (role === null) return [];
    return [{ role, text: shorten(plainText(messageText(message)), caps.perMessage) }];
  });
  return shortenRun(entries, caps.total);
}

function roleOf(message: unknown): TranscriptEntry['role'] | null {
  if (typeof message !== 'object' || message === null) return null;
  if ('type' in message && message.type === 'function_call_output') return 'tool';
  if (!('role' in message)) return 'output' in message ? 'assistant' : null;
  switch (message.role) {
    case 'user':
    case 'assistant':
    case 'tool':
    case 'exit':
      return message.role;
    default:
      return null;
  }
}

function shorten(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const half = Math.floor(cap / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}

function shortenRun(entries: readonly TranscriptEntry[], cap: number): TranscriptEntry[] {
  const total = entries.reduce((sum, { text }) => sum + text.length, 0);
  if (total <= cap) return [...entries];
  const head = takeWhileFits(entries, cap / 4);
  const tail = takeWhileFits(entries.slice(head.length).toReversed(), (3 * cap) / 4).toReversed();
  const left = entries.length - head.length - tail.length;
  return [...head, { role: 'user', text: `… ${left} messages left out …` }, ...tail];
}

function takeWhileFits(entries: readonly TranscriptEntry[], cap: number): TranscriptEntry[] {
  let used = 0;
  const taken: TranscriptEntry[] = [];
  for (const entry of entries) {
    used += entry.text.length;
    if (used > cap) break;
    taken.push(entry);
  }
  return taken;
}
