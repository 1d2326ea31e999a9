import { z } from 'zod';
import { Sha256, TaskId } from './ids.ts';
import { Modality } from './splits.ts';

/** The two ways in which the simulated solver can do one task. Scripts are Python, run in the task's working directory. */
export const TaskPolicy = z.strictObject({
  taskId: TaskId,
  modality: Modality,
  /** `pack`: the careless script is the task's declared trap; `imported`: it was derived from an evaluation key. */
  origin: z.enum(['pack', 'imported']),
  /** SHA-256 of `instruction`. */
  instructionDigest: Sha256,
  /** The task's instruction in the form of `normaliseInstruction`. */
  instruction: z.string().min(1),
  careful: z.string().min(1),
  careless: z.string().min(1),
});
export type TaskPolicy = z.infer<typeof TaskPolicy>;

/** `sealed/policies.json`, version 1. Read by the simulated solver alone: it holds answers to every task. */
export const PolicyBook = z.strictObject({
  version: z.literal(1),
  policies: z.array(TaskPolicy),
});
export type PolicyBook = z.infer<typeof PolicyBook>;

/** The form in which instructions are compared: runs of white space as one space each, none at the ends. */
export function normaliseInstruction(instruction: string): string {
  return instruction.replaceAll(/\s+/g, ' ').trim();
}
