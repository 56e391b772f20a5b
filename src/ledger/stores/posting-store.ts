import type { Ledger, Posting } from '../ledger.ts';
import { change, type Sql, type Statement, statement, together } from '../sql.ts';

/** A posting, and the fingerprint that it was found by. */
type FoundPosting = Posting & { readonly name: string };

/** Postings by all their fingerprints: what is known of one stands at its first, where few rows need to look. */
const HELD = `(select p.service, p.resource, p.fingerprint as name, coalesce(p.alias_of, p.fingerprint) as fingerprint,
  ${['run', 'seq', 'state', 'at', 'id'].map(
    (column) => `case when p.alias_of is null then p.${column} else (select f.${column} from @postings f
      where f.service = p.service and f.resource = p.resource and f.fingerprint = p.alias_of) end as ${column}`,
  )} from @postings p) as held`;
const FOUND = 'name, fingerprint, run, seq, state, at, id';
const COLUMNS = 'service, resource, fingerprint, run, seq, state, at, id, alias_of';

const NAME = ['service', 'resource', 'fingerprint'];
const AT = 'where service = ? and resource = ?';

/** Says what became of a posting. */
const settle = together({
  ...{ table: 'postings', does: 'settle', key: 3, told: NAME },
  alone: `update @postings set state = ?4, id = ?5, run = coalesce(?6, run), seq = coalesce(?7, seq), at = coalesce(?8, at)
    where service = ?1 and resource = ?2 and fingerprint = ?3`,
  around: [
    `update @postings as p set state = n.column4, id = cast(n.column5 as bigint), run = coalesce(n.column6, p.run),
     seq = coalesce(cast(n.column7 as bigint), p.seq), at = coalesce(n.column8, p.at) from (values `,
    `) as n where p.service = n.column1 and p.resource = n.column2 and p.fingerprint = n.column3
     returning service, resource, fingerprint`,
  ],
});

/** Takes a name that nobody has. */
const take = together({
  ...{ table: 'postings', does: 'claim', key: 3, told: NAME },
  alone: `insert into @postings (service, resource, fingerprint, run, seq, state, at, id)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) on conflict do nothing`,
  around: [
    'insert into @postings (service, resource, fingerprint, run, seq, state, at, id) values ',
    ` on conflict do nothing returning ${NAME.join(', ')}`,
  ],
});

/** Behind every text that begins so, by its bytes: the last character there is. */
const END = String.fromCodePoint(0x10ffff);

const plain = ({ name: _, ...posting }: FoundPosting): Posting => posting;

/** Stores postings, so that nothing is posted twice: the first row to claim a fingerprint has it. */
export function postingStore(sql: Sql) {
  /** Postings, by the fingerprints that they were asked for by. */
  async function find(
    service: string,
    resource: string,
    names: readonly string[],
    by: 'whole' | 'beginning' = 'whole',
  ) {
    if (names.length === 0) return new Map<string, Posting>();
    if (by === 'beginning') {
      const alike = await sql.read<FoundPosting>(
        `select ${FOUND} from ?? as wanted cross join ${HELD} ${AT}
         and name >= wanted.value and name < wanted.value || ?`,
        ...[names, service, resource, END],
      );
      return new Map(alike.map((one) => [one.name, plain(one)]));
    }
    const text = `select ${FOUND} from ${HELD} ${AT} and name in ??`;
    const stored = await sql.read<FoundPosting>(text, service, resource, names.map(sql.kept));
    const found = new Map(stored.map((one) => [one.name, plain(one)]));
    const pairs = names.map((name) => [name, found.get(sql.kept(name))] as const);
    return new Map(pairs.filter((pair): pair is [string, Posting] => pair[1] !== undefined));
  }

  return {
    findPostings: find,
    listPostings: async (service, resources, { from, before, after, limit }) =>
      await sql.read<Posting>(
        `select fingerprint, run, seq, state, at, id from @postings
         where service = ? and resource in ?? and alias_of is null and at >= ? and at < ? and (run, seq) > (?, ?)
         order by run, seq limit ?`,
        ...[service, resources, from, before, after?.run ?? '', after?.seq ?? -1, limit],
      ),
    async claimPosting(service, resource, posting, also = []) {
      const names = [...new Set([posting.fingerprint, ...also])];
      for (;;) {
        const [claimed] = await sql.write([claim(service, resource, posting, names)], true);
        if (claimed?.length === names.length) return undefined;
        const known = await find(service, resource, names);
        // The same row goes on after a crash; its sender settles whether it may be sent again. Done is done.
        const held = names.flatMap((name) => known.get(name) ?? []);
        const holder = held.find(
          (one) => one.run !== posting.run || one.seq !== posting.seq || one.state === 'done',
        );
        if (holder !== undefined || held.length === names.length) return holder;
        // It was free again by the time that it was looked at.
      }
    },
    async settlePosting(service, resource, fingerprint, now) {
      const place = [service, resource, fingerprint] as const;
      if (now === null) {
        // With one statement for both a database would look through all postings of the resource.
        const freed = ['fingerprint', 'alias_of'].map((name) =>
          statement(`delete from @postings ${AT} and ${name} = ?`, ...place),
        );
        // What is free already may be freed by each row that asks about it.
        await sql.write(freed);
        return;
      }
      const { state, id, run = null, seq = null, at = null } = now;
      const settled = settle(...place, state, id, run, seq, at);
      await change(sql, [settled], `posting ${fingerprint}`, state === 'sending');
    },
  } satisfies Partial<Ledger>;
}

/** Takes all of these names or, where another row has one or it is done, none. */
function claim(service: string, resource: string, posting: Posting, names: readonly string[]): Statement {
  const { fingerprint, run, seq, state, at, id } = posting;
  const own = [run, seq, state, at, id];
  if (names.length === 1) return { ...take(service, resource, fingerprint, ...own), inTurn: true };
  return {
    ...statement(
      `insert into @postings (${COLUMNS})
       select ?, ?, n.value, ?, ?, ?, ?, ?, case when n.value <> ? then ? end from ?? as n
       where not exists (select 1 from ${HELD} ${AT} and name in ?? and (run <> ? or seq <> ? or state = 'done'))
       on conflict do nothing returning fingerprint`,
      ...[service, resource, ...own, fingerprint, fingerprint, names],
      ...[service, resource, names, run, seq],
    ),
    inTurn: true,
  };
}
