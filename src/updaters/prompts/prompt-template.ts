import type { JsonObject } from '../step-machine.ts';

/** A rendered prompt: one user message, no system message. */
interface Prompt {
  readonly user: string;
  readonly responseFormat: 'json' | 'text';
}

/** Builds a prompt from the contents behind a call's refs. Pure: equal inputs give equal bytes, in any process. Never throws. */
export type PromptTemplate = (inputs: {
  readonly texts: Readonly<Record<string, string>>;
  readonly parameters: JsonObject;
}) => Prompt;
