import { basename, extname } from 'node:path';
import type { SpecItem } from '../../schema/officebench.ts';
import { mailboxes, requiredFiles } from './evaluated-paths.ts';

/** A value that can stand in a cell. */
export type CellValue = string | number | boolean | null;

/** One step of a solution script; `do` names a function of `anneal_judges/officebench_oracle.py`, the rest are its arguments. */
export type Action =
  | { do: 'text' | 'document' | 'pdf' | 'deck'; path: string; lines: string[] }
  | { do: 'workbook'; path: string; cells: [number, number, CellValue][]; rows: CellValue[][] }
  | { do: 'new_workbook'; path: string; rows: CellValue[][] }
  | { do: 'drop_rows'; path: string; words: string[] }
  | { do: 'event'; path: string; lines: string[]; start: string | null }
  | { do: 'mail'; path: string; sender: string; recipient: string; subject: string; lines: string[] }
  | { do: 'copy'; path: string; source: string }
  | { do: 'image' | 'folder' | 'remove'; path: string };

/** What a reference solution is worked out from. `username` is the user whom the task speaks of. */
export interface OracleInput {
  readonly items: readonly SpecItem[];
  readonly username: string;
  readonly inputs: ReadonlySet<string>;
  /** Rows of each expected workbook, by its path below `tests/`; absent where it is missing or holds more than plain values. */
  readonly expectedRows: ReadonlyMap<string, CellValue[][]>;
  /** The delivery contract asks for a copy of each mail in the sender's folder. */
  readonly senderCopies: boolean;
}

/** Whether upstream's own answer files decide the task, so that the reference is not only a reading of the keys. */
export function hasExpectedFile(items: readonly SpecItem[]): boolean {
  return items.some((item) => item.function === 'exact_match');
}

/**
 * What a solution would write if it knew the evaluation: every expected word in the file that is looked at, in a form of
 * its type. Not a solution of the task: a key that is wrong, or that nothing can satisfy, shows when it is judged.
 */
export function keyOracle(input: OracleInput): Action[] {
  const files = requiredFiles(input.items).flatMap((path) => fileActions(path, input));
  const gone = input.items.flatMap((item): Action[] =>
    item.function === 'file_not_exist' ? [{ do: 'remove', path: item.file }] : [],
  );
  return [...files, ...mailActions(input), ...gone];
}

function fileActions(path: string, input: OracleInput): Action[] {
  const words: string[] = [];
  const cells: [number, number, CellValue][] = [];
  const actions: Action[] = [];
  for (const item of input.items) {
    switch (item.function) {
      case 'contain':
        if (item.file === path) words.push(...item.keywords);
        break;
      case 'excel_cell_value':
        if (item.file !== path) break;
        cells.push(...item.matches.map(({ row, col, value }): [number, number, CellValue] => [row, col, cell(value)]));
        break;
      case 'excel_cell_comparator':
        if (item.file !== path) break;
        cells.push(
          ...item.matches.map(({ row, col, one_of }): [number, number, CellValue] => [row, col, cell(one_of[0] ?? '')]),
        );
        break;
      case 'exact_match': {
        const rows = input.expectedRows.get(item.expected);
        if (item.result === path && rows !== undefined) actions.push({ do: 'new_workbook', path, rows });
        break;
      }
      case 'diff_contain_text':
        if (item.output === path) actions.push({ do: 'drop_rows', path, words: item.keywords });
        break;
      case 'not_contain':
      case 'file_exist':
      case 'file_not_exist':
      case 'calendar_no_overlap':
        break;
    }
  }
  if (actions.length > 0) return actions;
  const needed = words.length > 0 || cells.length > 0;
  if (!needed && input.inputs.has(path)) return [];
  const twin = [...input.inputs].find((other) => basename(other) === basename(path));
  if (!needed && twin !== undefined) return [{ do: 'copy', path, source: twin }];
  return [write(path, words, cells, input.username)];
}

function write(path: string, words: string[], cells: [number, number, CellValue][], username: string): Action {
  const lines = [...new Set(words)];
  switch (extname(path).toLowerCase()) {
    case '.xlsx':
    case '.xlsm':
      return { do: 'workbook', path, cells, rows: lines.map((word) => [word]) };
    case '.docx':
    case '.doc':
      return { do: 'document', path, lines: filled(lines) };
    case '.pptx':
      return { do: 'deck', path, lines: filled(lines) };
    case '.pdf':
      return { do: 'pdf', path, lines: filled(lines) };
    case '.ics':
      return event(path, lines);
    case '.eml':
      return mail(path, username, username, lines);
    case '.jpg':
    case '.jpeg':
    case '.png':
      return { do: 'image', path };
    default:
      return { do: 'text', path, lines: filled(lines) };
  }
}

const moment = /^(?:DTSTART:)?(\d{8})(?:T(\d{0,6}))?Z?$/;

/** A key that is a moment becomes the start of the event; the others are its texts. */
function event(path: string, words: string[]): Action {
  const found = words.map((word) => moment.exec(word)).find((match) => match !== null);
  const start = found === undefined ? null : `${found[1]}T${(found[2] ?? '09').padEnd(6, '0')}Z`;
  return { do: 'event', path, lines: words.filter((word) => !moment.test(word)), start };
}

function mailActions(input: OracleInput): Action[] {
  const { items, username, senderCopies } = input;
  const people = mailboxes(items);
  const mails = people.flatMap((person): Action[] => {
    const words = items.flatMap((item) =>
      item.function === 'contain' && item.username === person ? item.keywords : [],
    );
    if (words.length === 0) return [{ do: 'folder', path: `emails/${person}` }];
    const lines = [...new Set(words)];
    const received = mail(`emails/${person}/message.eml`, username, person, lines);
    const copied = mail(`emails/${username}/message to ${person}.eml`, username, person, lines);
    return senderCopies && person !== username ? [received, copied] : [received];
  });
  return mails;
}

function mail(path: string, sender: string, recipient: string, lines: string[]): Action {
  return { do: 'mail', path, sender, recipient, subject: 'message', lines: filled(lines) };
}

function filled(lines: string[]): string[] {
  return lines.length > 0 ? lines : ['done'];
}

/** A number where the number prints as the very same text. */
function cell(value: string): CellValue {
  return value.trim() !== '' && String(Number(value)) === value ? Number(value) : value;
}
