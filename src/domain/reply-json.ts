/** JSON found in a model's reply. `cut`: it ended early and the elements that were complete are kept. */
export type ReplyJson =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'cut'; readonly value: unknown }
  | { readonly kind: 'none'; readonly why: 'empty' | 'no-json' };

const attempts = 50;

/**
 * The first JSON object (or list of objects) in a reply, whatever stands around it: prose, code fences, a closing
 * remark. Total: every text gives one of the three kinds.
 */
export function replyJson(reply: string): ReplyJson {
  if (reply.trim() === '') return { kind: 'none', why: 'empty' };
  let tried = 0;
  for (const { index } of reply.matchAll(/\{|\[\s*(?=\{)/g)) {
    tried += 1;
    if (tried > attempts) break;
    const scanned = scan(reply, index);
    const value = parse(scanned.text);
    if (value !== undefined) return { kind: scanned.complete ? 'json' : 'cut', value };
  }
  return { kind: 'none', why: 'no-json' };
}

/** Reads one JSON value from `start`; where the text ends inside it, closes it after its last complete member. */
function scan(reply: string, start: number): { text: string; complete: boolean } {
  const closers: string[] = [];
  let lastSafe: { end: number; closers: string } | null = null;
  let inString = false;
  for (let index = start; index < reply.length; index += 1) {
    const character = reply[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === '{') closers.push('}');
    else if (character === '[') closers.push(']');
    else if (character === '}' || character === ']') {
      if (closers.pop() !== character) return { text: '', complete: false };
      if (closers.length === 0) return { text: reply.slice(start, index + 1), complete: true };
      lastSafe = { end: index + 1, closers: closers.toReversed().join('') };
    } else if (character === ',') lastSafe = { end: index, closers: closers.toReversed().join('') };
  }
  if (lastSafe === null) return { text: '', complete: false };
  return { text: reply.slice(start, lastSafe.end) + lastSafe.closers, complete: false };
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
