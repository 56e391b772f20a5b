import { sql } from 'kysely';
import type { Ledger, Posting } from '../ledger.ts';
import { plainText } from '../plain-text.ts';
import type { Db, Tx } from './database.ts';
import type { GroupWriter, Kind } from './group-writer.ts';

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
  readonly done: boolean;
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

const placeOf = ({ service, resource }: Pick<Claim, 'service' | 'resource'>): string =>
  `${service}\n${resource}`;

/** Rows that claim what another row claims at the same moment, on any machine, come one after the other. */
async function claimInTurn(tx: Tx, items: readonly Claim[]): Promise<readonly (Posting | undefined)[]> {
  const answers: (Posting | undefined)[] = [];
  const places = new Map<string, number[]>();
  for (const [at, item] of items.entries())
    places.set(placeOf(item), [...(places.get(placeOf(item)) ?? []), at]);
  // In one order, so that two programs never wait for each other.
  for (const name of [...places.keys()].sort()) {
    const own = (places.get(name) ?? []).map((at) => ({ at, item: items[at] as Claim }));
    const [first] = own;
    if (first === undefined) continue;
    const { service, resource } = first.item;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`claim\n${name}`}, 0))`.execute(tx);
    const names = own.flatMap(({ item }) => item.names);
    const held = new Map<string, Posting>();
    for (const { name: by, ...posting } of await find(tx, service, resource, names)) held.set(by, posting);
    const taken: { readonly item: Claim; readonly name: string }[] = [];
    for (const { at, item } of own) {
      const { run, seq } = item.posting;
      // The same row goes on after a crash; its sender settles whether it may be sent again.
      const others = item.names.map((one) => held.get(one));
      answers[at] = others.find((one) => one !== undefined && (one.run !== run || one.seq !== seq));
      if (answers[at] !== undefined) continue;
      for (const one of item.names) {
        if (held.has(one)) continue;
        held.set(one, item.posting);
        taken.push({ item, name: one });
      }
    }
    const rows = taken.map(({ item: { posting, names: all }, name: fingerprint }) => ({
      ...{ ...posting, service, resource, fingerprint },
      alias_of: fingerprint === all[0] ? null : (all[0] ?? null),
    }));
    if (rows.length > 0) await tx.insertInto('postings').values(rows).execute();
  }
  return answers;
}

const claim: Kind<Claim, Posting | undefined> = { run: claimInTurn, locks: true };

const settle: Kind<Settled> = {
  async run(tx, items) {
    const answers: (undefined | Error)[] = [];
    for (const { service, resource, name, id, done } of items) {
      const named = sql<boolean>`service = ${service} and resource = ${resource}
        and (fingerprint = ${name} or alias_of = ${name})`;
      if (!done) {
        // What is free already may be freed by each row that asks about it.
        await tx.deleteFrom('postings').where(named).execute();
        answers.push(undefined);
        continue;
      }
      const change = tx.updateTable('postings').set({ state: 'done', id }).where(named);
      const { numUpdatedRows } = await change.executeTakeFirst();
      answers.push(numUpdatedRows === 0n ? unknown(name) : undefined);
    }
    return answers;
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
    settlePosting: async (service, resource, fingerprint, id, done) =>
      await write(settle, { service, resource, name: plainText(fingerprint), id, done }),
  } satisfies Partial<Ledger>;
}
