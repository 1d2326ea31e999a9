import type { SpecItem } from '../../schema/officebench.ts';

/** What an evaluation looks at below the working directory: a file, or the mail in someone's mailbox. */
export type Evaluated = { kind: 'file'; path: string; mustBeAbsent: boolean } | { kind: 'mailbox'; person: string };

/** Everything that the items look at, each once, in the order of the evaluation. */
export function evaluated(items: readonly SpecItem[]): Evaluated[] {
  const found = new Map<string, Evaluated>();
  for (const item of items) {
    const one = evaluatedBy(item);
    if (one === null) continue;
    const key = one.kind === 'file' ? one.path : `mailbox ${one.person}`;
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/** Files that have to be there at the end, in the order of the evaluation. */
export function requiredFiles(items: readonly SpecItem[]): string[] {
  return evaluated(items).flatMap((one) => (one.kind === 'file' && !one.mustBeAbsent ? [one.path] : []));
}

/** People whose mailboxes are read. */
export function mailboxes(items: readonly SpecItem[]): string[] {
  return evaluated(items).flatMap((one) => (one.kind === 'mailbox' ? [one.person] : []));
}

function evaluatedBy(item: SpecItem): Evaluated | null {
  const file = (path: string | null): Evaluated | null =>
    path === null ? null : { kind: 'file', path, mustBeAbsent: false };
  switch (item.function) {
    case 'contain':
    case 'not_contain':
      return item.username === null ? file(item.file) : { kind: 'mailbox', person: item.username };
    case 'file_exist':
    case 'excel_cell_value':
    case 'excel_cell_comparator':
      return file(item.file);
    case 'file_not_exist':
      return { kind: 'file', path: item.file, mustBeAbsent: true };
    case 'exact_match':
      return file(item.result);
    case 'diff_contain_text':
      return file(item.output);
    case 'calendar_no_overlap':
      return file(`calendar/${item.username}.ics`);
  }
}
