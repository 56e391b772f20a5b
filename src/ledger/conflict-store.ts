import type { Ledger, OpenConflict } from './ledger.ts';
import type { Db } from './open-database.ts';
import type { Writer } from './writer.ts';

type ConflictStore = Pick<Ledger, 'findConflicts' | 'rememberConflict' | 'forgetConflict'>;

interface StoredConflict extends Omit<OpenConflict, 'fields'> {
  readonly fields: string;
}

/** Conflicts that nobody has decided yet, by record. */
export function conflictStore(db: Db, { write }: Writer): ConflictStore {
  const find = db.prepare('select key, run, lmt, fields from conflicts where service = ? and resource = ?');
  const keep = db.prepare(
    `insert into conflicts (service, resource, key, run, lmt, fields) values (?, ?, ?, ?, ?, ?)
     on conflict do update set run = excluded.run, lmt = excluded.lmt, fields = excluded.fields`,
  );
  const drop = db.prepare('delete from conflicts where service = ? and resource = ? and key = ?');
  return {
    findConflicts: async (service, resource) =>
      (find.all(service, resource) as StoredConflict[]).map(({ fields, ...rest }) => ({
        ...rest,
        fields: JSON.parse(fields) as OpenConflict['fields'],
      })),
    rememberConflict: (service, resource, { key, run, lmt, fields }) =>
      write(() => keep.run(service, resource, key, run, lmt, JSON.stringify(fields))),
    forgetConflict: (service, resource, key) => write(() => drop.run(service, resource, key)),
  };
}
