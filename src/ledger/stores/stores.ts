import type { Ledger } from '../ledger.ts';
import type { Sql } from '../sql.ts';
import { planStore } from './plan-store.ts';
import { postingStore } from './posting-store.ts';
import { pruneStore } from './prune-store.ts';
import { recordStore } from './record-store.ts';
import { rowStore } from './row-store.ts';
import { runStore } from './run-store.ts';

/** A ledger in any database; `close` is called once nothing is being saved. */
export function storesOn(sql: Sql, close: () => Promise<void>): Ledger {
  const { reader, settled, ...plans } = planStore(sql);
  return {
    ...runStore(sql),
    ...plans,
    ...rowStore(sql, reader),
    ...recordStore(sql, reader),
    ...postingStore(sql),
    ...pruneStore(sql, reader),
    async close() {
      await settled();
      await close();
    },
  };
}
