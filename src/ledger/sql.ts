/** A value that a statement is given; a list stands where `??` does. */
export type Param = string | number | null | Buffer | readonly (string | number)[];

export type Row = Readonly<Record<string, unknown>>;

/**
 * A statement as both databases take it. `@` stands before the name of a table, `?` for a value, and `??` for a
 * list: after `in`, or as a table with the column `value`. ` ->> ` takes a member of a text of JSON.
 */
export interface Statement {
  readonly text: string;
  readonly params: readonly Param[];
  /** Of one that writes a row by its key: several of a moment may be written as one. */
  readonly many?: Many;
  /** Programs that do the same come one after the other. */
  readonly inTurn?: boolean;
}

/** How rows of one text are written together. */
export interface Many {
  readonly table: string;
  /** The text for one row alone, its values as `?1` and so on: SQLite does it quicker so, and tells how many
   * rows it wrote. */
  readonly alone?: string | undefined;
  /** What it does: rows of one key that something else is done to stay behind each other. */
  readonly does: string;
  /** The text before and after the values of its rows. */
  readonly around: readonly [before: string, after: string];
  /** So many of the values, the first ones, name the row. */
  readonly key: number;
  /** By value, whether null leaves what is there. */
  readonly keeps?: readonly boolean[];
  /** By these columns, its key, it says which rows it wrote; of those with one key the first is written. */
  readonly told?: readonly string[];
}

/** A database that holds a ledger. */
export interface Sql {
  read<R = Row>(text: string, ...params: readonly Param[]): Promise<readonly R[]>;
  /**
   * Writes statements, all or none. Resolves with the rows that each `returning` gave, once that outlives this
   * process; `durable`: also a power cut. An error of one leaves what others write in the same moment alone.
   */
  write(statements: readonly Statement[], durable?: boolean): Promise<readonly (readonly Row[])[]>;
  /** Writes before it returns; absent where that can't be: what is written counts for other programs at once. */
  readonly writeNow?: (statement: Statement) => void;
  /** A text as it is kept. */
  kept(text: string): string;
  /** The error for rows of a plan that can't be read. */
  damaged(rows: StoredPlace, cause: unknown): Error;
}

/** Where rows of a plan stand. */
export interface StoredPlace {
  readonly run: string;
  readonly first: number;
  readonly last: number;
}

export const statement = (text: string, ...params: readonly Param[]): Statement => ({ text, params });

/** Makes statements that put a row of a table in the place of the one with the same key; `keeps`: but for nulls. */
export function upserting(
  table: string,
  key: readonly string[],
  others: readonly string[],
  keeps: readonly string[] = [],
): (...params: readonly Param[]) => Statement {
  const columns = [...key, ...others];
  const changed = others.map(
    (name) =>
      `${name} = ${keeps.includes(name) ? `coalesce(excluded.${name}, t.${name})` : `excluded.${name}`}`,
  );
  const around = [
    `insert into @${table} as t (${columns.join(', ')}) values `,
    ` on conflict (${key.join(', ')}) do update set ${changed.join(', ')}`,
  ] as const;
  const own = columns.map((name) => keeps.includes(name));
  return together({ table, does: 'put', around, key: key.length, keeps: own });
}

/** Makes statements that may be written together; their text is made once: to look for a long one takes a while. */
export function together(many: Many): (...params: readonly Param[]) => Statement {
  let text = many.alone;
  return (...params) => {
    text ??= many.around.join(`(${params.map(() => '?').join(', ')})`);
    return { text, params, many };
  };
}

/** Writes statements, and throws where none changed anything, as that would be lost silently. */
export async function change(
  sql: Sql,
  statements: readonly Statement[],
  what: string,
  durable = false,
): Promise<void> {
  const changed = await sql.write(statements, durable);
  if (changed.every(({ length }) => length === 0)) throw new Error(`the ledger knows no ${what}`);
}

/** What a text of JSON says. */
export const parsed = <T>(text: string | null | undefined): T | null =>
  text == null ? null : (JSON.parse(text) as T);

/** A text as PostgreSQL takes it: it keeps no NUL and no half of a character, which nobody means. */
export const plainText = (text: string): string => text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD');

/** How JSON has those; also, of a text with a backslash, what only looks so. */
const ESCAPED = /\\u(?:0000|d[89a-f])/;

/** JSON of which PostgreSQL takes each text: it reads all of them to tell one. */
export function plainJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!ESCAPED.test(json)) return json;
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? plainText(one) : one));
}
