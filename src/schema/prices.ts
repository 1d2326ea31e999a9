import { z } from 'zod';

/** US dollars per million tokens, in whole millionths of a dollar at the finest. */
const Rate = z
  .number()
  .min(0)
  .max(100_000)
  .refine((rate) => Math.abs(rate * 1e6 - Math.round(rate * 1e6)) < 1e-3, 'at most six decimals');

/** Cache rates that are left out are the input rate: nothing is cheaper than what somebody wrote down. */
const EntryRates = z.strictObject({
  input: Rate,
  output: Rate,
  cacheRead: Rate.optional(),
  cacheWrite: Rate.optional(),
});

const Named = {
  /** The model as experiments name it, or several names; a `*` at the end stands for any suffix. */
  model: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** Host of the endpoint, port included where it is not the default; without it the price holds at every endpoint. */
  host: z.string().min(1).optional(),
};

const PricedEntry = z.strictObject({
  ...Named,
  ...EntryRates.shape,
  /** Rates of requests whose prompt is longer than `above` tokens. */
  longPrompt: EntryRates.extend({ above: z.number().int().positive() }).optional(),
  asOf: z.iso.date(),
  source: z.string().min(1),
});

const FreeEntry = z.strictObject({
  ...Named,
  free: z.literal(true),
  /** Why it costs nothing. */
  why: z.string().min(1),
});

/** One model's price as a person wrote it down, with its date and source, or why it is free. */
export const PriceEntry = z.union([PricedEntry, FreeEntry]);
export type PriceEntry = z.infer<typeof PriceEntry>;

/** `budgets/prices.yaml`, version 1: US dollars per million tokens. Not part of an experiment's identity. */
export const Prices = z.strictObject({ version: z.literal(1), models: z.array(PriceEntry) });
export type Prices = z.infer<typeof Prices>;

/** Millionths of a dollar per million tokens. */
const MicroRate = z.number().int().nonnegative();
/** Prices as they are reckoned with: integers, every rate filled in. */
export const Rates = z.object({ input: MicroRate, output: MicroRate, cacheRead: MicroRate, cacheWrite: MicroRate });
export type Rates = z.infer<typeof Rates>;

/** What one role's model costs, as an experiment was given it. Unknown is never free. */
export const ModelPrice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rates'),
    rates: Rates,
    longPrompt: z.object({ above: z.number().int().positive(), rates: Rates }).nullable(),
    asOf: z.iso.date(),
    source: z.string(),
  }),
  z.object({ kind: z.literal('free'), why: z.string() }),
  z.object({ kind: z.literal('unknown'), why: z.string() }),
]);
export type ModelPrice = z.infer<typeof ModelPrice>;
