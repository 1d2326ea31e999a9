import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Identity } from '../../schema/experiment-lock.ts';

/** What differs between two frozen configs, one short phrase each: `seed 7 → 8`, `task office-mini/x1 changed`. */
export function identityDifferences(before: Identity, after: Identity): string[] {
  const differences: string[] = [];
  const earlier = new Map(before.tasks.map((task) => [task.id, task]));
  const later = new Map(after.tasks.map((task) => [task.id, task]));
  for (const [id, task] of earlier) {
    const other = later.get(id);
    if (other === undefined) differences.push(`task ${id} left out`);
    else if (other.split !== task.split) differences.push(`task ${id} ${task.split} → ${other.split}`);
    else if (canonicalJson(other) !== canonicalJson(task)) differences.push(`task ${id} changed`);
  }
  for (const id of later.keys()) if (!earlier.has(id)) differences.push(`task ${id} added`);
  const { tasks: _before, ...restBefore } = before;
  const { tasks: _after, ...restAfter } = after;
  compare(restBefore, restAfter, '', differences);
  return differences;
}

function compare(before: unknown, after: unknown, path: string, differences: string[]): void {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before[key], after[key], path === '' ? key : `${path}.${key}`, differences);
    }
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) differences.push(`${path} ${show(before)} → ${show(after)}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
  return /^[0-9a-f]{64}$/.test(text)
    ? `sha256:${text.slice(0, 8)}…`
    : text.length > 40
      ? `${text.slice(0, 40)}…`
      : text;
}
