import { z } from 'zod';

/** Whole model tokens, never negative. */
export const Tokens = z.number().int().nonnegative().brand<'Tokens'>();
export type Tokens = z.infer<typeof Tokens>;

/** Whole milliseconds, never negative. */
export const Milliseconds = z.number().int().nonnegative().brand<'Milliseconds'>();
export type Milliseconds = z.infer<typeof Milliseconds>;

/** Whole millionths of a US dollar, never negative: 1,000,000 are $1. */
export const MicroUsd = z.number().int().nonnegative().brand<'MicroUsd'>();
export type MicroUsd = z.infer<typeof MicroUsd>;

/** Whole bytes, never negative. */
export const Bytes = z.number().int().nonnegative().brand<'Bytes'>();
export type Bytes = z.infer<typeof Bytes>;

/** A task's reward, usually 0 to 1; penalties can make it negative. Shown as points = 100 × reward. */
export const Reward = z.number().finite().brand<'Reward'>();
export type Reward = z.infer<typeof Reward>;
