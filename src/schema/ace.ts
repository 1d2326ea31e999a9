import { z } from 'zod';

const text = z.string().catch('');

/**
 * A reflector's reply. Missing or misshapen texts read as empty; at least one of the two that carry the lesson must
 * be there. `bullet_tags` stays as it came: each tag is checked on its own when tags are counted.
 */
export const Reflection = z
  .object({
    reasoning: text,
    error_identification: text,
    root_cause_analysis: text,
    correct_approach: text,
    key_insight: text,
    bullet_tags: z.unknown().optional(),
  })
  .refine((reflection) => reflection.key_insight.trim() !== '' || reflection.correct_approach.trim() !== '', {
    error: 'neither key_insight nor correct_approach holds any text',
  });
export type Reflection = z.infer<typeof Reflection>;

/** A curator's reply; a bare list is taken for its operations. Each operation is checked on its own when it is applied. */
export const Curation = z.preprocess(
  (reply) => (Array.isArray(reply) ? { reasoning: '', operations: reply } : reply),
  z.object({ reasoning: text, operations: z.array(z.unknown()) }),
);
export type Curation = z.infer<typeof Curation>;
