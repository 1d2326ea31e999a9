import { curatorPrompt } from './ace-curator.ts';
import { reflectorPrompt } from './ace-reflector.ts';
import type { PromptTemplate } from './prompt-template.ts';

/** What a `call-model` action may name as its template. A changed text gets a new number. */
export const promptTemplates: Readonly<Record<string, PromptTemplate>> = {
  'ace.reflector/1': reflectorPrompt,
  'ace.curator/1': curatorPrompt,
};
