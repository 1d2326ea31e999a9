/** The record file that a record belongs to, sealed or not, for example `attempts.jsonl`. */
export function recordFileOf(body: unknown): string {
  const kind = typeof body === 'object' && body !== null && 'kind' in body ? String(body.kind) : 'record';
  return `${kind === 'query' ? 'queries' : kind === 'usage' ? 'usage' : `${kind}s`}.jsonl`;
}
