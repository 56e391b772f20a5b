/**
 * The values of many rows in one place: each row's, or one that all share; numbers that go up by one from
 * `from`; or the index of an earlier equal column.
 */
type Column = readonly unknown[] | { readonly from: number } | number;

/** Lists and objects: the shape of each, and a column for each member of a shape. */
interface Table {
  readonly which: Column;
  readonly shapes: readonly { readonly names: Names; readonly members: readonly Packed[] }[];
}

type Packed = Column | Table;

/** The shape of a value: an object's names, a list's length, null for a plain value. */
type Names = readonly string[] | number | null;

/** Values of one shape, in the order of their rows. */
interface Alike {
  readonly names: Names;
  readonly values: unknown[];
}

type Columns = (readonly unknown[])[];

type Members = Readonly<Record<string | number, unknown>>;

/** Rows of JSON data as text, by column: what rows share is written once. A member that is undefined is none. */
export function toColumns(rows: readonly unknown[]): string {
  return JSON.stringify({ count: rows.length, rows: pack(rows, []) });
}

/** The rows of such a text. */
export function fromColumns(text: string): unknown[] {
  const { count, rows } = JSON.parse(text) as { readonly count: number; readonly rows: Packed };
  return unpack(rows, count, []);
}

/** `earlier`: columns that a later one may repeat. Loops are plain, as they run over millions of values. */
function pack(values: readonly unknown[], earlier: Columns): Packed {
  if (arePlain(values)) return toColumn(values, earlier);
  const names = namesOf(values[0]);
  const members = membersOf(names, values);
  if (members !== undefined)
    return { which: [0], shapes: [{ names, members: members.map((column) => pack(column, earlier)) }] };
  const shapes: Alike[] = [];
  const which = new Array<number>(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    const shape = shapeOf(value, shapes);
    which[at] = shape;
    (shapes[shape] as Alike).values.push(value);
  }
  return {
    which: toColumn(which, earlier),
    shapes: shapes.map(({ names, values: alike }) => ({
      names,
      members: packMembers(names, alike, earlier),
    })),
  };
}

function arePlain(values: readonly unknown[]): boolean {
  for (let at = 0; at < values.length; at++) if (isComposite(values[at])) return false;
  return true;
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

function packMembers(names: Names, values: readonly unknown[], earlier: Columns): readonly Packed[] {
  if (names === null) return [toColumn(values, earlier)];
  return placesOf(names).map((place) => pack(columnOf(place, values), earlier));
}

/** The members of values that all have just these; undefined where one lacks any, or has another. */
function membersOf(names: Names, values: readonly unknown[]): Columns | undefined {
  if (names === null || !values.every((value) => hasNames(value, names))) return undefined;
  const columns = placesOf(names).map((place) => columnOf(place, values));
  return columns.some((column) => column.includes(undefined)) ? undefined : columns;
}

function columnOf(place: string | number, values: readonly unknown[]): unknown[] {
  const column = new Array<unknown>(values.length);
  for (let at = 0; at < values.length; at++) column[at] = (values[at] as Members)[place];
  return column;
}

/** Whether a value has these names and no other, by them alone: to look at each member takes four times as long. */
function hasNames(value: unknown, names: readonly string[] | number): boolean {
  if (!isComposite(value)) return false;
  if (Array.isArray(value)) return names === value.length;
  if (typeof names === 'number') return false;
  const own = Object.keys(value);
  if (own.length !== names.length) return false;
  for (let at = 0; at < own.length; at++) if (own[at] !== names[at]) return false;
  return true;
}

const placesOf = (names: readonly string[] | number): readonly (string | number)[] =>
  typeof names === 'number' ? [...Array(names).keys()] : names;

function shapeOf(value: unknown, shapes: Alike[]): number {
  for (let at = 0; at < shapes.length; at++) if (hasShape(value, (shapes[at] as Alike).names)) return at;
  return shapes.push({ names: namesOf(value), values: [] }) - 1;
}

function namesOf(value: unknown): Names {
  if (!isComposite(value)) return null;
  if (Array.isArray(value)) return value.length;
  return Object.keys(value).filter((name) => (value as Members)[name] !== undefined);
}

function hasShape(value: unknown, names: Names): boolean {
  if (!isComposite(value)) return names === null;
  if (Array.isArray(value)) return names === value.length;
  if (names === null || typeof names === 'number') return false;
  let place = 0;
  for (const name in value)
    if ((value as Members)[name] !== undefined && names[place++] !== name) return false;
  return place === names.length;
}

function toColumn(values: readonly unknown[], earlier: Columns): Column {
  const [first, second] = values;
  if (second === first && isConstant(values)) return values.slice(0, 1);
  if (typeof first === 'number' && second === first + 1 && isRange(values, first)) return { from: first };
  for (let at = 0; at < earlier.length; at++) if (areSame(earlier[at] as unknown[], values)) return at;
  if (values.length > 1) earlier.push(values);
  return values;
}

function isConstant(values: readonly unknown[]): boolean {
  for (let at = 1; at < values.length; at++) if (values[at] !== values[0]) return false;
  return true;
}

function isRange(values: readonly unknown[], from: number): boolean {
  for (let at = 1; at < values.length; at++) if (values[at] !== from + at) return false;
  return true;
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** The values of a packed place, `count` of them. */
function unpack(packed: Packed, count: number, earlier: Columns): unknown[] {
  if (typeof packed === 'number' || !('which' in packed)) return fromColumn(packed, count, earlier);
  const which = fromColumn(packed.which, count, earlier) as number[];
  const counts = new Array<number>(packed.shapes.length).fill(0);
  for (const shape of which) counts[shape] = (counts[shape] ?? 0) + 1;
  const shapes = packed.shapes.map(({ names, members }, at) =>
    unpackMembers(names, members, counts[at] ?? 0, earlier),
  );
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return only;
  const next = new Array<number>(shapes.length).fill(0);
  return which.map((shape) => {
    const at = next[shape] ?? 0;
    next[shape] = at + 1;
    return shapes[shape]?.[at];
  });
}

function unpackMembers(names: Names, members: readonly Packed[], count: number, earlier: Columns): unknown[] {
  const columns = members.map((member) => unpack(member, count, earlier));
  if (names === null) return columns[0] ?? [];
  return typeof names === 'number' ? toLists(names, columns, count) : toObjects(names, columns, count);
}

function toLists(length: number, columns: readonly unknown[][], count: number): unknown[][] {
  const values = new Array<unknown[]>(count);
  for (let at = 0; at < count; at++) {
    const value = new Array<unknown>(length);
    for (let place = 0; place < length; place++) value[place] = (columns[place] as unknown[])[at];
    values[at] = value;
  }
  return values;
}

function toObjects(names: readonly string[], columns: Columns, count: number): object[] {
  const make = makerOf(names);
  const values = new Array<object>(count);
  for (let at = 0; at < count; at++) values[at] = make(columns, at);
  return values;
}

/** Makes the object at a place of columns. */
type Maker = (columns: Columns, at: number) => object;

const makers = new Map<string, Maker>();
const MOST_MAKERS = 1000;

function makerOf(names: readonly string[]): Maker {
  const shape = JSON.stringify(names);
  let maker = makers.get(shape);
  if (maker === undefined) {
    if (makers.size >= MOST_MAKERS) makers.clear();
    maker = compiled(names) ?? ((columns, at) => byName(names, columns, at));
    makers.set(shape, maker);
  }
  return maker;
}

/**
 * A function with an object literal of these members. Members that are added by name take six times as long,
 * and V8 makes slow tables of objects with more than a dozen. Undefined where a program may not compile text.
 */
function compiled(names: readonly string[]): Maker | undefined {
  // In a literal it is no member.
  if (names.includes('__proto__')) return undefined;
  const members = names.map((name, place) => `${JSON.stringify(name)}: columns[${place}][at]`);
  try {
    return new Function('columns', 'at', `return { ${members.join()} };`) as Maker;
  } catch {
    return undefined;
  }
}

const byName: (names: readonly string[], ...place: Parameters<Maker>) => object = (names, columns, at) =>
  Object.fromEntries(names.map((name, place) => [name, columns[place]?.[at]]));

function fromColumn(column: Column, count: number, earlier: Columns): unknown[] {
  if (typeof column === 'number') return earlier[column] as unknown[];
  if ('from' in column) {
    const range = new Array<number>(count);
    for (let at = 0; at < count; at++) range[at] = column.from + at;
    return range;
  }
  if (column.length === 1 && count !== 1) return new Array<unknown>(count).fill(column[0]);
  if (column.length > 1) earlier.push(column);
  return column as unknown[];
}
