import { z } from 'zod';
import { ModelPrice } from '../../schema/prices.ts';
import { inTransaction } from './open-database.ts';
import type { LedgerDatabase } from './open-database.ts';

/** The price of a role that was given none. */
export const NO_PRICE: ModelPrice = { kind: 'unknown', why: 'it was given none' };

/** Prices by the number that rows name them with. A price is never changed, another one gets another number. */
export interface BookedPrices {
  /** Writes prices that are not there yet; inside the transaction that takes them over. */
  readonly book: (prices: readonly ModelPrice[]) => void;
  /** Number of a booked price. */
  readonly idOf: (price: ModelPrice) => number;
  readonly read: (id: number) => ModelPrice;
}

const Row = z.object({ id: z.number(), body: z.string() });

/** Prices that rows were made at: each row names its own, so that what it cost can be worked out again. */
export function createBookedPrices(database: LedgerDatabase): BookedPrices {
  const insert = database.prepare('INSERT INTO price (body) VALUES (?) ON CONFLICT DO NOTHING');
  const find = database.prepare('SELECT id, body FROM price WHERE body = ?');
  const findId = database.prepare('SELECT id, body FROM price WHERE id = ?');
  const ids = new WeakMap<ModelPrice, number>();
  const prices = new Map<number, ModelPrice>();
  const book: BookedPrices['book'] = (wanted) => {
    for (const price of wanted) insert.run([JSON.stringify(price)]);
  };
  inTransaction(database, () => book([NO_PRICE]));
  return {
    book,
    idOf: (price) => {
      const id = ids.get(price) ?? Row.parse(find.get([JSON.stringify(price)])).id;
      ids.set(price, id);
      return id;
    },
    read: (id) => {
      const price = prices.get(id) ?? ModelPrice.parse(JSON.parse(Row.parse(findId.get([id])).body));
      prices.set(id, price);
      return price;
    },
  };
}
