import { parsedJson } from '../domain/parsed-json.ts';
import { pinRequest, type RequestDraft } from '../domain/pin-request.ts';
import { RecordedAnswer } from '../schema/call-row.ts';
import type { AttemptKey } from '../schema/ids.ts';
import { storedRecordsOf, type AuditSources } from './audit-sources.ts';

/** Digests of what is on record of the calls of updaters, by channel, arm and key of the call. */
type Disclosed = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What is on record of a call of an updater is what went over the wire: every request hashes to a prompt of its call, every
 * reply is the text of an answer that the ledger keeps.
 */
export async function sentFaults(sources: AuditSources): Promise<string[]> {
  const { lock, ledger, sha256 } = sources;
  const disclosed = disclosedTexts(sources);
  const leases = ledger.epochs(lock.id).filter(({ role }) => role === 'updater');
  const seeds = new Map(leases.map(({ attemptKey, epoch, seed }) => [`${attemptKey} ${epoch}`, seed]));
  const arms = new Map(leases.map(({ attemptKey, arm }) => [attemptKey, arm]));
  const nameOf = (key: AttemptKey): string => `call ${key.slice(0, 12)} of ${arms.get(key) ?? 'nobody'}`;
  const requests = new Map<string, ReadonlySet<string>>();
  const answers = new Map<string, Set<string>>();
  const faults = new Set<string>();
  for (const { row, answer } of ledger.bookedCalls(lock.id, 'updater')) {
    const { attemptKey: key, epoch, requestHash } = row;
    const lease = `${key} ${epoch}`;
    const known =
      requests.get(lease) ??
      (await requestHashes(sources, disclosed.get(`prompt ${arms.get(key)} ${key}`), seeds.get(lease)));
    requests.set(lease, known);
    if (!known.has(requestHash)) faults.add(`the prompt on record of ${nameOf(key)} is not what was sent`);
    const text = answer === null ? null : answeredText(answer);
    if (text !== null) answers.set(key, (answers.get(key) ?? new Set()).add(sha256(text)));
  }
  for (const [key, arm] of arms) {
    const replies = [...(disclosed.get(`reply ${arm} ${key}`) ?? [])];
    if (!replies.every((digest) => answers.get(key)?.has(digest) === true)) {
      faults.add(`the reply on record of ${nameOf(key)} is not what was answered`);
    }
  }
  return [...faults];
}

function disclosedTexts(sources: AuditSources): Disclosed {
  const found = new Map<string, Set<string>>();
  for (const record of storedRecordsOf(sources)) {
    if (record.kind !== 'disclosure' || record.key === null) continue;
    for (const { content, blob } of record.items) {
      const name = `${content} ${record.arm} ${record.key}`;
      found.set(name, (found.get(name) ?? new Set()).add(blob));
    }
  }
  return found;
}

/** Hashes that requests of these prompts have: an updater sends its prompt as one message, and wants JSON or text. */
async function requestHashes(
  { ledger, lock, blob, sha256 }: AuditSources,
  prompts: ReadonlySet<string> = new Set(),
  seed = lock.identity.seed,
): Promise<ReadonlySet<string>> {
  const binding = ledger.registered(lock.id)?.models.updater;
  const hashes = new Set<string>();
  if (binding === undefined) return hashes;
  for (const digest of prompts) {
    const bytes = await blob(digest);
    if (bytes === null) continue;
    const messages: RequestDraft['messages'] = [
      { role: 'user', content: [{ type: 'text', text: bytes.toString('utf8') }] },
    ];
    for (const responseFormat of ['json', 'text'] as const) {
      hashes.add(sha256(JSON.stringify(pinRequest({ messages, tools: [], responseFormat }, binding, seed))));
    }
  }
  return hashes;
}

function answeredText(body: string): string | null {
  const answer = RecordedAnswer.safeParse(parsedJson(body)).data;
  return answer?.kind === 'answered' ? answer.response.content.map(({ text }) => text).join('') : null;
}
