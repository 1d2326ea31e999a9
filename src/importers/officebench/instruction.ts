import { extname } from 'node:path';
import type { SpecItem, UpstreamSubtask } from '../../schema/officebench.ts';
import { type Evaluated, evaluated } from './evaluated-paths.ts';
import { answerFile } from './modality.ts';

/**
 * `instruction.md`: upstream's prompt prefix and task, then the delivery contract. The contract names every file that the
 * judge looks at and the form that mail and events take; it never says what has to stand in them.
 */
export function instruction(subtask: UpstreamSubtask, items: readonly SpecItem[], inputs: ReadonlySet<string>): string {
  const { date, weekday, time, username, task } = subtask;
  const prefix = `Today is ${date} (${weekday}). The current time is ${time}. You are an AI assistant for user ${username}.`;
  return [prefix, '', task.trim(), '', ...contract(items, inputs, username), ''].join('\n');
}

function contract(items: readonly SpecItem[], inputs: ReadonlySet<string>, username: string): string[] {
  const looked = evaluated(items);
  const files = looked.flatMap((one) => (one.kind === 'file' ? [`- ${fileLine(one, inputs)}`] : []));
  const lines = [
    '## Delivery',
    '',
    'Work in /testbed. Files are in `data/`, mail is in `emails/<name>/`, calendars are `calendar/<Name>.ics`. What lies there at the end is judged, at exactly these places:',
    '',
    ...files,
  ];
  const people = looked.flatMap((one) => (one.kind === 'mailbox' ? [one.person] : []));
  if (people.length > 0) lines.push(mailLine(username));
  for (const person of people) {
    const expects = items.some((item) => item.function === 'contain' && item.username === person);
    if (!expects) lines.push(`- the folder \`emails/${person}/\` has to be there, with mail in it or without`);
  }
  if (looked.some((one) => one.kind === 'file' && isCalendar(one.path))) lines.push('', eventLine);
  return lines;
}

function mailLine(username: string): string {
  return [
    '- mail: one file `emails/<recipient>/<subject>.eml` for each recipient (RFC 5322, From and To in the form',
    '`user@example.com`, the body as plain UTF-8 text), and a copy of each in the sender’s folder',
    `\`emails/${username}/\` unless someone else is said to send it. \`<recipient>\` is the part before the @ of an address`,
    'that is given, else the name as it is written.',
  ].join(' ');
}

const eventLine =
  'Events: append a VEVENT with SUMMARY, DTSTART and DTEND to the calendar, or create it as a VCALENDAR if it is not there. Write times as they are stated, in the form 20240131T090000Z.';

function isCalendar(path: string): boolean {
  return extname(path).toLowerCase() === '.ics';
}

function fileLine(one: Extract<Evaluated, { kind: 'file' }>, inputs: ReadonlySet<string>): string {
  const { path } = one;
  if (path === answerFile) return `\`${path}\`: write only the final answer there`;
  if (one.mustBeAbsent) return `\`${path}\`: looked for at the end`;
  if (inputs.has(path))
    return `\`${path}\`: the ${kindOfFile(path)} that is there, changed in place if the task asks for it`;
  return `\`${path}\`: ${article(kindOfFile(path))}`;
}

function kindOfFile(path: string): string {
  switch (extname(path).toLowerCase()) {
    case '.docx':
    case '.doc':
      return 'Word document';
    case '.xlsx':
      return 'Excel workbook';
    case '.pptx':
      return 'PowerPoint presentation';
    case '.pdf':
      return 'PDF file';
    case '.txt':
      return 'text file';
    case '.ics':
      return 'calendar';
    case '.eml':
      return 'mail file (RFC 5322)';
    case '.jpg':
    case '.jpeg':
    case '.png':
      return 'picture';
    default:
      return 'file';
  }
}

function article(noun: string): string {
  return noun.startsWith('Excel') ? `an ${noun}` : `a ${noun}`;
}
