import type { StopError } from '../../core/errors.ts';
import type { Sql } from '../sql.ts';
import { ask, type Database } from './database.ts';
import { type GroupWriter, patiently } from './group-writer.ts';
import { kept } from './rendered.ts';
import { damagedRows } from './stops.ts';

/** A ledger's PostgreSQL database. */
export function postgresSql(
  database: Database,
  { write }: Pick<GroupWriter, 'write'>,
  stopOf: (cause: unknown) => StopError | undefined,
): Sql {
  const { asked, place } = database;
  return {
    async read(text, ...params) {
      return (await patiently(database, () => ask(asked, text, ...params), stopOf)) as never[];
    },
    write,
    kept,
    damaged: (rows, cause) => damagedRows(place, rows, cause),
  };
}
