import { conflictStore } from './conflict-store.ts';
import type { Ledger } from './ledger.ts';
import { openDatabase } from './open-database.ts';
import { postingStore } from './posting-store.ts';
import { recordStore } from './record-store.ts';
import { rowStore } from './row-store.ts';
import { runStore } from './run-store.ts';
import { openWriter } from './writer.ts';

/** The ledger in one SQLite file of the user's; `:memory:` keeps nothing. */
export function openLedger(file: string): Ledger {
  const db = openDatabase(file);
  const writer = openWriter(db, file);
  const { settled, ...rows } = rowStore(db, writer);
  const close = async (): Promise<void> => {
    await settled();
    writer.flush();
    db.close();
  };
  return {
    ...runStore(db, writer),
    ...rows,
    ...recordStore(db, writer),
    ...postingStore(db, writer),
    ...conflictStore(db, writer),
    close,
  };
}
