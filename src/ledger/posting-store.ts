import type { Ledger, Posting } from './ledger.ts';
import type { Db } from './open-database.ts';
import type { Writer } from './writer.ts';
import { written } from './written.ts';

type PostingStore = Pick<Ledger, 'findPostings' | 'claimPosting' | 'settlePosting'>;

/** What was posted, so that nothing is posted twice: a fingerprint has one place, and the first to take it has it. */
export function postingStore(db: Db, { write }: Writer): PostingStore {
  const columns = 'fingerprint, run, seq, state, at, id';
  const select = db.prepare(
    `select ${columns} from postings where service = ? and resource = ? and fingerprint = ?`,
  );
  const several = db.prepare(
    `select ${columns} from postings
     where service = ? and resource = ? and fingerprint in (select value from json_each(?))`,
  );
  const anyPosting = db.prepare('select 1 from postings where service = ? and resource = ? limit 1');
  const take = db.prepare(
    'insert into postings (service, resource, fingerprint, run, seq, state, at, id) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing',
  );
  const settle = db.prepare(
    "update postings set state = 'done', id = ? where service = ? and resource = ? and fingerprint = ?",
  );
  const free = db.prepare('delete from postings where service = ? and resource = ? and fingerprint = ?');
  const find = (service: string, resource: string, fingerprint: string): Posting | undefined =>
    (select.all(service, resource, fingerprint) as Posting[])[0];
  return {
    findPostings: async (service, resource, fingerprints) => {
      if (fingerprints.length === 0 || anyPosting.all(service, resource).length === 0) return new Map();
      const found = several.all(service, resource, JSON.stringify(fingerprints)) as Posting[];
      const known = new Map(found.map((posting) => [posting.fingerprint, posting]));
      return new Map(fingerprints.flatMap((name) => pairOf(name, known.get(name))));
    },
    async claimPosting(service, resource, posting) {
      const { fingerprint, run, seq, state, at, id } = posting;
      let holder: Posting | undefined;
      // Looked up in the same transaction: afterwards it may be free again, and would look like this row's.
      await write(() => {
        const taken = take.run(service, resource, fingerprint, run, seq, state, at, id).changes > 0;
        holder = taken ? undefined : find(service, resource, fingerprint);
      }, true);
      // The same row goes on after a crash; whether it may be sent again is for its sender to settle.
      return holder?.run === run && holder.seq === seq ? undefined : holder;
    },
    settlePosting: (service, resource, fingerprint, id, done) =>
      write(() => {
        const place = [service, resource, fingerprint] as const;
        written(done ? settle.run(id, ...place) : free.run(...place), `posting ${fingerprint}`);
      }),
  };
}

const pairOf = (name: string, posting: Posting | undefined): [string, Posting][] =>
  posting === undefined ? [] : [[name, posting]];
