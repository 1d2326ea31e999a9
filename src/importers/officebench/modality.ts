import { extname } from 'node:path';
import type { SpecItem } from '../../schema/officebench.ts';
import type { Modality } from '../../schema/splits.ts';
import { evaluated } from './evaluated-paths.ts';

type Kind = 'document' | 'spreadsheet' | 'presentation' | 'calendar' | 'mail';

/** Where upstream's final text goes. */
export const answerFile = 'data/answer.txt';

/**
 * The kind of work that a task is, by the files it delivers. Two or more kinds are cross-office. Word files, PDF files,
 * pictures and text are one kind, the document. Mail alone or a calendar alone counts as a document. A task whose only
 * delivery is the answer text takes the kind of its inputs: spreadsheet where all of them are workbooks, else document.
 */
export function modality(items: readonly SpecItem[], inputs: readonly string[]): Modality {
  const delivered = evaluated(items).filter((one) => one.kind !== 'file' || one.path !== answerFile);
  if (delivered.length === 0) {
    const workbooks = inputs.length > 0 && inputs.every((path) => kindOf(path) === 'spreadsheet');
    return workbooks ? 'spreadsheet' : 'document';
  }
  const kinds = new Set(delivered.map((one) => (one.kind === 'mailbox' ? 'mail' : kindOf(one.path))));
  if (kinds.size > 1) return 'cross-office';
  if (kinds.has('spreadsheet')) return 'spreadsheet';
  return kinds.has('presentation') ? 'presentation' : 'document';
}

function kindOf(path: string): Kind {
  if (path.startsWith('calendar/')) return 'calendar';
  if (path.startsWith('emails/')) return 'mail';
  switch (extname(path).toLowerCase()) {
    case '.xlsx':
    case '.xlsm':
    case '.csv':
      return 'spreadsheet';
    case '.pptx':
      return 'presentation';
    case '.ics':
      return 'calendar';
    case '.eml':
      return 'mail';
    default:
      return 'document';
  }
}
