import { basename, extname } from 'node:path';
import type { SpecItem } from '../../schema/officebench.ts';
import { evaluated } from './evaluated-paths.ts';
import { answerFile } from './modality.ts';

const fileName = /[A-Za-z0-9_-]+\.(?:docx?|xlsx?|pptx?|pdf|txt|csv|jpe?g|png|ics|eml)\b/gi;

/** Names of files in a task's text, in order, each once. */
export function namedFiles(text: string): string[] {
  return [...new Set([...text.matchAll(fileName)].map((match) => match[0]))];
}

/** Where a task's text and its evaluation disagree on file names; `contradictions` are sentences, `absent` are names. */
export interface NameCheck {
  /** The text asks for one file and the evaluation reads another. */
  readonly contradictions: string[];
  /** Named in the text, but neither an input nor looked at. Events and mail are known by their recipient, so they do not count. */
  readonly absent: string[];
}

/** Compares the file names in the text with those that the evaluation reads and those that are there. */
export function checkNames(text: string, items: readonly SpecItem[], inputs: readonly string[]): NameCheck {
  const paths = evaluated(items).flatMap((one) => (one.kind === 'file' ? [one.path] : []));
  const known = new Set([...inputs, ...paths].map((path) => basename(path).toLowerCase()));
  const named = namedFiles(text).filter((name) => !['.ics', '.eml'].includes(extname(name).toLowerCase()));
  const absent = named.filter((name) => !known.has(name.toLowerCase()));
  const contradictions = paths.flatMap((path) => {
    if (path === answerFile || inputs.includes(path)) return [];
    const twin = inputs.find((input) => input.toLowerCase() === path.toLowerCase());
    if (twin !== undefined) return [`the evaluation reads ${path}; the input is ${twin}`];
    if (!path.startsWith('data/') || mentioned(path, text)) return [];
    const meant = absent.find((name) => extname(name).toLowerCase() === extname(path).toLowerCase());
    return meant === undefined ? [] : [`the text names ${meant}; the evaluation reads ${path}`];
  });
  return { contradictions, absent };
}

function mentioned(path: string, text: string): boolean {
  return text.toLowerCase().includes(basename(path).toLowerCase());
}
