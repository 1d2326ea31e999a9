import type { z } from 'zod';
import { Curation, Reflection } from './ace.ts';

/** How the reply of a model call is parsed, by the action's `schemaId`. */
export const replySchemas = {
  'ace.reflection/1': Reflection,
  'ace.curation/1': Curation,
} as const satisfies Record<string, z.ZodType>;
