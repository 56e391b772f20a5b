import type { StopError } from '../../core/errors.ts';
import type { Sql } from '../sql.ts';
import { ask, type TimedDatabase } from './database.ts';
import { type GroupWriter, patiently } from './group-writer.ts';
import { kept } from './rendered.ts';
import { damagedRows } from './stops.ts';

/** A ledger's PostgreSQL database. */
export function postgresSql(
  { asked, place, time }: TimedDatabase,
  { write }: Pick<GroupWriter, 'write'>,
  stopOf: (cause: unknown) => StopError | undefined,
): Sql {
  return {
    async read(text, ...params) {
      return (await patiently(time, () => ask(asked, text, ...params), stopOf)) as never[];
    },
    write,
    kept,
    damaged: (rows, cause) => damagedRows(place, rows, cause),
  };
}
