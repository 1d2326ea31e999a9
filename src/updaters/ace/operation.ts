/** What a curator may ask for. ADD alone unless the experiment allows more. */
const curatorOperations = ['ADD', 'UPDATE', 'MERGE', 'DELETE'] as const;
type CuratorOperation = (typeof curatorOperations)[number];

/** One operation, well formed and allowed, its text still unchecked. */
export type Operation =
  | { readonly type: 'ADD'; readonly section: string; readonly content: unknown }
  | { readonly type: 'UPDATE'; readonly id: string; readonly content: unknown }
  | { readonly type: 'MERGE'; readonly ids: readonly string[]; readonly content: unknown }
  | { readonly type: 'DELETE'; readonly id: string };

/** An operation that may be tried, or why the model's element is none. */
export type ReadOperation =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'refused'; readonly why: string };

/** Reads one element of a curator's list. Total: whatever a model wrote is an operation or a reason. */
export function readOperation(raw: unknown, allowed: readonly string[]): ReadOperation {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return refused('operation is no object');
  const fields: Record<string, unknown> = { ...raw };
  const type = typeof fields['type'] === 'string' ? fields['type'].trim().toUpperCase() : '';
  if (!isKnown(type)) return refused('operation type is unknown');
  if (!allowed.includes(type)) return refused(`${type} is not allowed here`);
  const { content } = fields;
  const id = idOf(fields);
  switch (type) {
    case 'ADD': {
      const { section } = fields;
      if (typeof section !== 'string' || section.trim() === '') return refused('section is no text');
      return { kind: 'operation', operation: { type, section, content } };
    }
    case 'MERGE': {
      const ids = Array.isArray(fields['ids']) ? fields['ids'].filter((entry) => typeof entry === 'string') : [];
      const distinct = [...new Set(ids.map(bareId))];
      if (distinct.length < 2) return refused('MERGE needs at least two ids');
      return { kind: 'operation', operation: { type, ids: distinct, content } };
    }
    case 'UPDATE':
      if (id === null) return refused('UPDATE needs an id');
      return { kind: 'operation', operation: { type, id, content } };
    case 'DELETE':
      if (id === null) return refused('DELETE needs an id');
      return { kind: 'operation', operation: { type, id } };
    default:
      return type satisfies never;
  }
}

/** The id that an operation or a tag names, under any of the three keys that models use; null without one. */
export function idOf(fields: Readonly<Record<string, unknown>>): string | null {
  for (const key of ['id', 'bullet_id', 'bullet']) {
    const value = fields[key];
    if (typeof value === 'string' && value.trim() !== '') return bareId(value);
  }
  return null;
}

function bareId(text: string): string {
  return text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

function isKnown(type: string): type is CuratorOperation {
  return (curatorOperations as readonly string[]).includes(type);
}

function refused(why: string): ReadOperation {
  return { kind: 'refused', why };
}
