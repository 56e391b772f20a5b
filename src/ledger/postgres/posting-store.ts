import { sql } from 'kysely';
import type { Ledger, Posting } from '../ledger.ts';
import { plainText } from '../plain-text.ts';
import type { Db, Tx } from './database.ts';
import { ALONE, type GroupWriter, type Kind } from './group-writer.ts';

interface Claim {
  readonly service: string;
  readonly resource: string;
  readonly posting: Posting;
  /** All its fingerprints, its own first. */
  readonly names: readonly string[];
}

interface Settled {
  readonly service: string;
  readonly resource: string;
  readonly name: string;
  readonly id: number | null;
}

interface StoredPosting extends Posting {
  /** The fingerprint that it was found by. */
  readonly name: string;
}

const unknown = (name: string): Error => new Error(`the ledger knows no posting ${name}`);

/** A posting with several fingerprints is settled by its first, whichever it was found by. */
const COLUMNS = [
  'fingerprint as name',
  sql<string>`coalesce(alias_of, fingerprint)`.as('fingerprint'),
  ...(['run', 'seq', 'state', 'at', 'id'] as const),
] as const;

const find = async (
  db: Db | Tx,
  service: string,
  resource: string,
  names: readonly string[],
): Promise<StoredPosting[]> =>
  await db
    .selectFrom('postings')
    .select(COLUMNS)
    .where('service', '=', service)
    .where('resource', '=', resource)
    .where('fingerprint', '=', sql<string>`any(${names})`)
    .execute();

/** Rows that claim what another row claims at the same moment, on any machine, come one after the other. */
const claim: Kind<Claim, Posting | undefined> = {
  list: 'claims',
  async toList(items) {
    const taken = new Set<string>();
    const later = new Set<number>();
    const rows = items.flatMap(({ service, resource, posting, names }, place) => {
      const own = names.map((name) => `${service}\n${resource}\n${name}`);
      if (own.some((name) => taken.has(name))) {
        later.add(place);
        return [];
      }
      for (const name of own) taken.add(name);
      return names.map((fingerprint) => ({
        ...{ ...posting, place, service, resource, fingerprint },
        alias_of: fingerprint === names[0] ? null : (names[0] ?? null),
      }));
    });
    return {
      rows,
      answers: ({ holders }) =>
        items.map(({ names }, place) => {
          if (later.has(place)) return ALONE;
          const own = holders.filter((holder) => holder.place === place);
          const found = names.map((name) => own.find((one) => one.name === name)).find((one) => one);
          if (found === undefined) return undefined;
          const { place: _, name: __, ...holder } = found;
          return holder;
        }),
    };
  },
};

const settle: Kind<Settled> = {
  list: 'settled',
  async toList(items) {
    const nameOf = ({ service, resource, name }: Settled) => `${service}\n${resource}\n${name}`;
    const places = new Map(items.map((item, place) => [nameOf(item), place]));
    return {
      rows: [...places.values()].map((place) => ({ ...(items[place] as Settled), place })),
      answers: ({ unknown: missing }) =>
        items.map((item) =>
          missing.includes(places.get(nameOf(item)) ?? 0) ? unknown(item.name) : undefined,
        ),
    };
  },
};

const free: Kind<Omit<Settled, 'id'>> = {
  async run(tx, items) {
    // What is free already may be freed by each row that asks about it.
    for (const { service, resource, name } of items)
      await tx
        .deleteFrom('postings')
        .where('service', '=', service)
        .where('resource', '=', resource)
        .where(({ or, eb }) => or([eb('fingerprint', '=', name), eb('alias_of', '=', name)]))
        .execute();
    return items.map(() => undefined);
  },
};

type Replacement = Pick<Claim, 'service' | 'resource' | 'posting'>;

const replace: Kind<Replacement> = {
  async run(tx, items) {
    const answers: (undefined | Error)[] = [];
    for (const { service, resource, posting } of items) {
      const { fingerprint, ...change } = posting;
      const done = await tx
        .updateTable('postings')
        .set(change)
        .where('service', '=', service)
        .where('resource', '=', resource)
        .where(({ or, eb }) => or([eb('fingerprint', '=', fingerprint), eb('alias_of', '=', fingerprint)]))
        .executeTakeFirst();
      answers.push(done.numUpdatedRows === 0n ? unknown(fingerprint) : undefined);
    }
    return answers;
  },
};

const plain = ({ name: _, ...posting }: StoredPosting): Posting => posting;

/** Behind every text that begins so, by its bytes: the last character there is. */
const END = String.fromCodePoint(0x10ffff);

/** Stores postings, so that nothing is posted twice from any machine: the first row to claim one has it. */
export function postingStore(db: Db, { write }: GroupWriter) {
  const kept = (posting: Posting): Posting => ({ ...posting, fingerprint: plainText(posting.fingerprint) });
  return {
    async findPostings(service, resource, fingerprints) {
      if (fingerprints.length === 0) return new Map();
      const stored = await find(db, service, resource, fingerprints.map(plainText));
      const found = new Map(stored.map((one) => [one.name, plain(one)]));
      return new Map(
        fingerprints.flatMap((name) => {
          const posting = found.get(plainText(name));
          return posting === undefined ? [] : [[name, posting] as const];
        }),
      );
    },
    async findPostingsLike(service, resource, beginnings) {
      const found = new Map<string, Posting>();
      if (beginnings.length === 0) return found;
      const { rows } = await sql<StoredPosting>`
        select name, fingerprint, run, seq, state, at, id from unnest(${beginnings.map(plainText)}::text[]) as wanted (beginning)
        cross join lateral (
          select fingerprint as name, coalesce(alias_of, fingerprint) as fingerprint, run, seq, state, at, id
          from ${sql.table('catersheet.postings')}
          where service = ${service} and resource = ${resource}
            and fingerprint >= wanted.beginning collate "C" and fingerprint < (wanted.beginning || ${END}) collate "C"
        ) as found`.execute(db);
      for (const one of rows) found.set(one.name, plain(one));
      return found;
    },
    listPostings: async (service, resources, { from, before, after, limit }) => {
      if (resources.length === 0) return [];
      const { run, seq } = after ?? { run: '', seq: -1 };
      return await db
        .selectFrom('postings')
        .select(['fingerprint', 'run', 'seq', 'state', 'at', 'id'])
        .where('service', '=', service)
        .where('resource', 'in', resources)
        .where('alias_of', 'is', null)
        .where('at', '>=', from)
        .where('at', '<', before)
        .where(sql<boolean>`(run, seq) > (${run}, ${seq})`)
        .orderBy('run')
        .orderBy('seq')
        .limit(limit)
        .execute();
    },
    claimPosting: async (service, resource, posting, also = []) => {
      const names = [...new Set([posting.fingerprint, ...also].map(plainText))];
      return await write(claim, { service, resource, posting: kept(posting), names });
    },
    replacePosting: async (service, resource, posting) =>
      await write(replace, { service, resource, posting: kept(posting) }),
    async settlePosting(service, resource, fingerprint, id, done) {
      const place = { service, resource, name: plainText(fingerprint) };
      if (done) await write(settle, { ...place, id });
      else await write(free, place);
    },
  } satisfies Partial<Ledger>;
}
