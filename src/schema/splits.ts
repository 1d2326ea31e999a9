import { z } from 'zod';
import { TaskId } from './ids.ts';

/** What a task may be used for. The updater sees feedback, gets numbers for selection, and nothing of the two finals. */
export const Split = z.enum(['feedback', 'selection', 'final-in-domain', 'final-cross-office']);
export type Split = z.infer<typeof Split>;

/** Kind of office work, by the deliverables; `cross-office` needs more than one kind in one task. */
export const Modality = z.enum(['presentation', 'document', 'spreadsheet', 'cross-office']);
export type Modality = z.infer<typeof Modality>;

/** `splits/*.yaml`, version 1: which task serves what. Order carries no meaning; a task stands in one list only. */
export const Splits = z.strictObject({
  version: z.literal(1),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  feedback: z.array(TaskId).min(1),
  selection: z.array(TaskId).min(1),
  'final-in-domain': z.array(TaskId),
  'final-cross-office': z.array(TaskId),
});
export type Splits = z.infer<typeof Splits>;
