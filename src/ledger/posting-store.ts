import type { Ledger, Posting } from './ledger.ts';
import type { Db } from './schema.ts';
import { expectChange, type Writer } from './writer.ts';

/** Stores postings, so that nothing is posted twice: the first row to claim a fingerprint has it. */
export function postingStore(db: Db, { write }: Writer) {
  const { between, anyPosting, like, take, settle, replace, free, find } = statements(db);
  return {
    findPostings: async (service, resource, fingerprints) => {
      if (fingerprints.length === 0 || anyPosting.all(service, resource).length === 0) return new Map();
      const found = new Map(find(service, resource, fingerprints));
      const pairs = fingerprints.map((name) => [name, found.get(name)] as const);
      return new Map(pairs.filter((pair): pair is [string, Posting] => pair[1] !== undefined));
    },
    findPostingsLike: async (service, resource, beginnings) => {
      const found = like.all(JSON.stringify(beginnings), service, resource) as (Posting & { name: string })[];
      return new Map(found.map(({ name, ...posting }) => [name, posting]));
    },
    listPostings: async (service, resources, { from, before, after, limit }) => {
      const names = JSON.stringify(resources);
      const { run, seq } = after ?? { run: '', seq: -1 };
      return between.all(service, names, from, before, run, seq, limit) as Posting[];
    },
    async claimPosting(service, resource, posting, also = []) {
      const { fingerprint, run, seq, state, at, id } = posting;
      let holder: Posting | undefined;
      // Looked up in the same transaction: afterwards it may be free again and look like this row's.
      await write(() => {
        const taken = (name: string): boolean => {
          const aliasOf = name === fingerprint ? null : fingerprint;
          return take.run(service, resource, name, run, seq, state, at, id, aliasOf).changes > 0;
        };
        // One name that is free is taken without a look.
        if (also.length === 0 && taken(fingerprint)) return;
        const held = find(service, resource, [fingerprint, ...also]);
        // The same row goes on after a crash; its sender settles whether it may be sent again. Done is done.
        holder = held.find(([, one]) => one.run !== run || one.seq !== seq || one.state === 'done')?.[1];
        if (holder === undefined) for (const name of new Set([fingerprint, ...also])) taken(name);
      }, true);
      return holder;
    },
    replacePosting: (service, resource, { fingerprint: name, ...posting }) =>
      write(() => {
        expectChange(replace({ ...posting, service, resource, name }), `posting ${name}`);
      }, true),
    settlePosting: (service, resource, fingerprint, id, done) =>
      write(() => {
        const place = { service, resource, name: fingerprint };
        // What is free already may be freed by each row that asks about it.
        if (done) expectChange(settle({ ...place, id }), `posting ${fingerprint}`);
        else free(place);
      }),
  } satisfies Partial<Ledger>;
}

function statements(db: Db) {
  // A posting with several fingerprints is settled by its first, whichever it was found by.
  const columns =
    'fingerprint as name, coalesce(alias_of, fingerprint) as fingerprint, run, seq, state, at, id';
  const several = db.prepare(
    `select ${columns} from postings
     where service = ? and resource = ? and fingerprint in (select value from json_each(?))`,
  );
  const like = db.prepare(
    `select ${columns} from (select value as beginning from json_each(?)) cross join postings
     where service = ? and resource = ? and fingerprint >= beginning
       and fingerprint < beginning || char(1114111)`,
  );
  const between = db.prepare(
    `select fingerprint, run, seq, state, at, id from postings
     where service = ? and resource in (select value from json_each(?)) and alias_of is null
       and at >= ? and at < ? and (run, seq) > (?, ?) order by run, seq limit ?`,
  );
  const anyPosting = db.prepare('select 1 from postings where service = ? and resource = ? limit 1');
  const take = db.prepare(
    `insert into postings (service, resource, fingerprint, run, seq, state, at, id, alias_of)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  );
  const settle = byName(db, `update postings set state = 'done', id = :id`);
  const replace = byName(
    db,
    'update postings set run = :run, seq = :seq, state = :state, at = :at, id = :id',
  );
  const free = byName(db, 'delete from postings');
  /** Postings, each under the fingerprint that it was found by. */
  const find = (service: string, resource: string, names: readonly string[]): [string, Posting][] => {
    const found = several.all(service, resource, JSON.stringify(names)) as (Posting & { name: string })[];
    return found.map(({ name, ...posting }) => [name, posting]);
  };
  return { between, anyPosting, like, take, settle, replace, free, find };
}

/**
 * Changes a posting by its first fingerprint, under all of them. With one statement for both SQLite would
 * look through all postings of the resource.
 */
function byName(db: Db, change: string) {
  const all = ['fingerprint', 'alias_of'].map((column) =>
    db.prepare(`${change} where service = :service and resource = :resource and ${column} = :name`),
  );
  return (given: Readonly<Record<string, unknown>>) => ({
    changes: all.reduce((sum, one) => sum + one.run(given).changes, 0),
  });
}
