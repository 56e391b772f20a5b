import type { Memory } from './ledger.ts';

/** What a column holds; a `word` is compared by its bytes: fingerprints are looked for by how they begin. */
type Kind = 'word' | 'text' | 'json' | 'integer' | 'bytes';
/** `?`: or null. */
type Columns = Readonly<Record<string, Kind | `${Kind}?`>>;

/** A table as both kinds of ledger have it. */
export interface Table {
  readonly name: string;
  /** What names a row, and the order in which rows are moved. */
  readonly key: Columns;
  readonly others: Columns;
  /** Rows that are moved at once. */
  readonly batch: number;
}

const ROWS = 1000;
const PLACE = { run: 'word', seq: 'integer' } as const;
const RESOURCE = { service: 'word', resource: 'word' } as const;

/** Every table of a ledger. */
export const TABLES: readonly Table[] = [
  {
    ...{ name: 'runs', key: { run: 'word' }, batch: 50 },
    others: {
      ...{ service: 'word', file: 'text', started_at: 'word', state: 'text', plan_version: 'integer' },
      ...{ counts: 'json?', details: 'json?', pruned_at: 'word?' },
    },
  },
  {
    // A chunk has up to 500 rows of a plan.
    ...{ name: 'chunks', key: { run: 'word', last: 'integer' }, batch: 20 },
    others: { first: 'integer', sheet: 'text', rows: 'bytes', keys: 'bytes' },
  },
  { name: 'states', key: PLACE, others: { outcome: 'json?', progress: 'json?' }, batch: ROWS },
  {
    ...{ name: 'postings', key: { ...RESOURCE, fingerprint: 'word' }, batch: ROWS },
    others: { ...PLACE, state: 'text', at: 'word', id: 'integer?', alias_of: 'word?' },
  },
  { name: 'facts', key: { service: 'word', name: 'word' }, others: { value: 'text' }, batch: ROWS },
  {
    ...{ name: 'keys', key: { ...RESOURCE, external: 'integer' }, batch: ROWS },
    others: { id: 'integer', label: 'text?' },
  },
  { name: 'memory', key: { ...RESOURCE, kind: 'word', key: 'word' }, others: { value: 'json' }, batch: ROWS },
];

const INDEXES = [
  'runs_newest on @runs (started_at desc, run desc)',
  'postings_id on @postings (service, resource, id) where id is not null',
  'postings_alias on @postings (service, resource, alias_of) where alias_of is not null',
  'keys_id on @keys (service, resource, id)',
];

/** The schema version of this program, in a file and in a database. */
export const VERSION = 21;

/** The tables of versions before 21 of which `memory` took the place. */
export const FOLDED = ['applied', 'sent', 'writes', 'conflicts', 'unsettled', 'resends'] as const;

/**
 * The statements that fill `memory` from them, each of one table. `quoted`: a column as JSON; `sent`: the fields of a
 * row of `sent`, each as what it was sent and held since.
 */
export function folding(quoted: (column: string) => string, sent: string): readonly string[] {
  const object = (members: Readonly<Record<string, string>>): string =>
    `'{' || ${Object.entries(members)
      .map(([name, value]) => `'"${name}":' || ${value}`)
      .join(` || ',' || `)} || '}'`;
  const [key, run, body] = [quoted('key'), quoted('run'), 'body'];
  const write = { run, seq: 'seq', at: `coalesce(${quoted('at')}, 'null')` };
  const fold = (kind: keyof Memory, of: string, value: string, from: string): string =>
    `insert into @memory as t (service, resource, kind, key, value)
     select service, resource, '${kind}', ${of}, ${value} from ${from}`;
  return [
    // Earlier versions kept one of no fields in a database.
    fold('applied', 'key', 'fields', `@applied where fields <> '{}'`),
    // Fields that no read returns stand beside those that hold something else.
    `${fold('applied', `'id:' || id`, sent, `@sent where fields <> '{}'`)}
     on conflict (service, resource, kind, key) do update
     set value = substr(t.value, 1, length(t.value) - 1) || ',' || substr(excluded.value, 2)`,
    fold(
      'conflict',
      'key',
      object({ key, run, lmt: `coalesce(${quoted('lmt')}, 'null')`, fields: 'fields' }),
      '@conflicts',
    ),
    fold('write', 'key', object(write), '@writes'),
    fold('unsettled', 'key', object({ key, ...write }), '@unsettled'),
    fold(
      'resend',
      `fingerprint || ' ' || run`,
      object({ fingerprint: quoted('fingerprint'), run, body }),
      '@resends',
    ),
  ];
}

/** The columns of a table, its key first. */
export const columnsOf = ({ key, others }: Table): readonly string[] => Object.keys({ ...key, ...others });

/** The statements that make the tables and indexes that are not there yet. */
export const making = (
  types: Readonly<Record<Kind, string>>,
  endOf: (table: string) => string,
): readonly string[] => [
  ...TABLES.map(({ name, key, others }) => {
    const columns = Object.entries({ ...key, ...others }).map(
      ([column, kind]) =>
        `${column} ${types[kind.replace('?', '') as Kind]}${kind.endsWith('?') ? '' : ' not null'}`,
    );
    const all = [...columns, `primary key (${Object.keys(key).join(', ')})`].join(', ');
    return `create table if not exists @${name} (${all}) ${endOf(name)}`;
  }),
  ...INDEXES.map((index) => `create index if not exists ${index}`),
];

/** How much a ledger holds. */
export interface Holds {
  readonly runs: number;
  readonly rows: number;
  readonly records: number;
  readonly postings: number;
}

/** Asks for it. */
export const HOLDS = `select (select count(*) from @runs) as runs, (select count(*) from @states) as rows,
  (select count(*) from @keys) as records,
  (select count(*) from @postings where alias_of is null) as postings`;

/** Asks for chunks of plans after one, so many. */
export const NEXT_CHUNKS =
  'select run, first, last, rows from @chunks where (run, last) > (?, ?) order by run, last limit ?';
