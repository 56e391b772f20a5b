import type { MovedLedger } from './move-tables.ts';
import { openDatabase } from './sqlite-ledger.ts';
import { runnerOn } from './sqlite-sql.ts';
import { tableEnd } from './table-end.ts';

/** A ledger in a file as an end of a move; what is written counts once `commit` is called. */
export interface FileEnd extends MovedLedger {
  begin(): void;
  commit(): void;
  close(): void;
}

/** Opens a ledger's file to be moved, or to be moved to. Throws StopError for what is none. */
export function openFileEnd(file: string): FileEnd {
  const db = openDatabase(file);
  const run = runnerOn(db);
  const direct = {
    read: async (text, ...params) => run(text, params) as never[],
    write: async (statements) => statements.map(({ text, params }) => run(text, params) as never[]),
  } satisfies Parameters<typeof tableEnd>[0];
  return {
    ...tableEnd(direct, file),
    begin: () => void db.exec('begin immediate'),
    commit: () => void db.exec('commit'),
    close: () => void db.close(),
  };
}
