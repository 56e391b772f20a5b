/** One value of many things in a row: a single one where it is the same for all of them. Plain data. */
export type Column = readonly unknown[];

/** What `member` says of every one of the things; plain loops, as there are millions of them. */
export function valuesOf<T>(all: readonly T[], member: (one: T, at: number) => unknown): unknown[] {
  const values = new Array<unknown>(all.length);
  for (let at = 0; at < all.length; at++) values[at] = member(all[at] as T, at);
  return values;
}

/** Values as they are stored. */
export function toColumn(values: readonly unknown[]): Column {
  const [first] = values;
  for (let at = 1; at < values.length; at++) if (values[at] !== first) return values;
  return values.slice(0, 1);
}

/** Whether the values are the same ones, place by place. */
export function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** The value in a place; an empty column holds none. */
export function valueAt(column: Column, at: number): unknown {
  return column.length === 1 ? column[0] : column[at];
}
