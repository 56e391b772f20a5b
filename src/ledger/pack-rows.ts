import { promisify } from 'node:util';
import { deflateRaw, type InputType, inflateRawSync, type ZlibOptions } from 'node:zlib';
import type { PlannedRow, Step } from '../core/plan.ts';
import { areSame, type Column, toColumn, valueAt, valuesOf } from './column.ts';
import { keyOf, signOf } from './key-sign.ts';
import { type OlderChunk, unpackOlder } from './older-rows.ts';

type Shape = readonly [purpose: string, endpoint: string, ...names: string[]];

interface Packed {
  readonly first: number;
  readonly sheet: string;
  readonly resource: string;
  readonly count: number;
  /** One for each of `ROW_COLUMNS`, then which of `paths` a row's steps are. */
  readonly columns: readonly Column[];
  /** Numbers in `steps`. */
  readonly paths: readonly (readonly number[])[];
  readonly steps: readonly PackedSteps[];
}

/** Steps of one purpose, endpoint and body's names, in the order in which the rows have them. */
interface PackedSteps {
  readonly shape: Shape;
  /** One for each of `STEP_COLUMNS`. */
  readonly columns: readonly Column[];
  /** One for each name of the body; the number of earlier steps whose body says the same under that name. */
  readonly values: readonly (Column | number)[];
}

/** Stands for a fingerprint that is the row's own key. */
const OWN_KEY = 1;

/** In the order of `unpackRow`. */
const ROW_COLUMNS: readonly ((row: PlannedRow) => unknown)[] = [
  ({ row }) => row,
  ({ action }) => action,
  signOf,
  ({ id }) => id,
  ({ external }) => external,
  ({ lmt }) => lmt,
  ({ message }) => message,
  ({ changes }) => unlessEmpty(changes),
  ({ needs }) => unlessEmpty(needs),
  ({ issues }) => unlessEmpty(issues),
];

/** In the order of `unpackStep`. */
const STEP_COLUMNS: readonly ((step: Step, keyOfRow: string | null) => unknown)[] = [
  ({ fingerprint }, key) => (fingerprint === undefined ? 0 : fingerprint === key ? OWN_KEY : fingerprint),
  ({ also }) => also ?? 0,
  ({ params }) => params ?? 0,
];

/** A plan repeats itself from row to row: the least effort and a small window do, and are quicker to set up. */
const LITTLE: ZlibOptions = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 1 << 16 };

const deflate = promisify<InputType, ZlibOptions, Buffer>(deflateRaw);

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | 0 => (list.length === 0 ? 0 : list);

/**
 * Rows of one sheet and resource whose places follow on each other, as text: column by column, a value once where it
 * is the same all along. Deflated a tenth of what the same rows are as JSON, and quicker to write.
 */
export function rowsText(rows: readonly PlannedRow[]): string {
  const [{ seq, sheet, resource }] = rows as readonly [PlannedRow];
  const packing: Packing = { path: [], paths: [], steps: [] };
  const path = valuesOf(rows, (row) => packPath(row, packing));
  const packed: Packed = {
    ...{ first: seq, sheet, resource, count: rows.length },
    columns: [...ROW_COLUMNS.map((member) => toColumn(valuesOf(rows, member))), toColumn(path)],
    paths: packing.paths,
    steps: packSteps(packing.steps),
  };
  return JSON.stringify(packed);
}

/** The bytes of rows as text. */
export const packText = (text: string): Promise<Buffer> => deflate(text, LITTLE);

interface Packing {
  /** Of the row at hand; one for all of them. */
  readonly path: number[];
  readonly paths: number[][];
  readonly steps: StepsAlike[];
}

interface StepsAlike {
  readonly shape: Shape;
  readonly found: Step[];
  /** The keys of their rows. */
  readonly keys: (string | null)[];
}

/** The number of the path that the row's steps are; its steps are put with their like. */
function packPath({ steps, key }: PlannedRow, { path, paths, steps: known }: Packing): number {
  path.length = 0;
  for (const step of steps) {
    const at = shapeOf(step, known);
    const { found, keys } = known[at] as StepsAlike;
    found.push(step);
    keys.push(key);
    path.push(at);
  }
  for (let at = 0; at < paths.length; at++) if (areSame(path, paths[at] as number[])) return at;
  return paths.push([...path]) - 1;
}

function shapeOf(step: Step, known: StepsAlike[]): number {
  for (let at = 0; at < known.length; at++) if (isOf(step, (known[at] as StepsAlike).shape)) return at;
  const { purpose, endpoint, body } = step;
  return known.push({ shape: [purpose, endpoint, ...Object.keys(body)], found: [], keys: [] }) - 1;
}

function isOf({ purpose, endpoint, body }: Step, shape: Shape): boolean {
  if (shape[0] !== purpose || shape[1] !== endpoint) return false;
  let place = 2;
  for (const name in body) if (shape[place++] !== name) return false;
  return place === shape.length;
}

/** What an update says of a record that was just created it mostly says again: that is stored once. */
function packSteps(all: readonly StepsAlike[]): PackedSteps[] {
  const seen: ReadonlyMap<string, unknown[]>[] = [];
  return all.map(({ shape, found, keys }) => {
    const [, , ...names] = shape;
    const own = new Map(names.map((name) => [name, valuesOf(found, ({ body }) => body[name])]));
    const values = [...own].map(([name, column]) => {
      const like = seen.findIndex((earlier) => areSame(earlier.get(name) ?? [], column));
      return like < 0 ? toColumn(column) : like;
    });
    seen.push(own);
    const columns = STEP_COLUMNS.map((member) =>
      valuesOf(found, (step, at) => member(step, keys[at] ?? null)),
    );
    return { shape, columns: columns.map(toColumn), values };
  });
}

/** The rows of packed bytes. */
export const unpackRows = (bytes: ArrayBuffer): PlannedRow[] =>
  rowsOfText(inflateRawSync(bytes).toString('utf8'));

/** The rows of a text. */
export function rowsOfText(text: string): PlannedRow[] {
  const packed = JSON.parse(text) as Packed | OlderChunk;
  if ('rows' in packed) return unpackOlder(packed);
  const next = packed.steps.map(() => 0);
  return Array.from({ length: packed.count }, (_, at) => unpackRow(packed, at, next));
}

/** `next` holds by shape how many steps earlier rows had. */
function unpackRow(
  { first, sheet, resource, columns, paths, steps }: Packed,
  at: number,
  next: number[],
): PlannedRow {
  const [row, action, sign, id, external, lmt, message, changes, needs, issues, path] = columns.map(
    (column) => valueAt(column, at),
  );
  const key = keyOf(sign, external, id);
  return {
    ...{ seq: first + at, sheet, row, resource, action, key, id, external, lmt },
    changes: changes === 0 ? [] : changes,
    steps: (paths[path as number] ?? []).map((shape) => {
      const place = next[shape] ?? 0;
      next[shape] = place + 1;
      return unpackStep(steps, shape, place, key);
    }),
    needs: needs === 0 ? [] : needs,
    issues: issues === 0 ? [] : issues,
    message,
  } as PlannedRow;
}

function unpackStep(steps: readonly PackedSteps[], number: number, at: number, key: string | null): Step {
  const { shape, columns, values } = steps[number] as PackedSteps;
  const [purpose, endpoint, ...names] = shape;
  const [fingerprint, also, params] = columns.map((column) => valueAt(column, at));
  return {
    purpose,
    endpoint,
    body: Object.fromEntries(names.map((name, place) => [name, bodyValue(steps, name, values[place], at)])),
    ...(params === 0 ? {} : { params }),
    ...(fingerprint === 0 ? {} : { fingerprint: fingerprint === OWN_KEY ? key : fingerprint }),
    ...(also === 0 ? {} : { also }),
  } as Step;
}

function bodyValue(
  steps: readonly PackedSteps[],
  name: string,
  values: Column | number | undefined,
  at: number,
): unknown {
  if (typeof values !== 'number') return valueAt(values ?? [], at);
  const { shape, values: earlier } = steps[values] as PackedSteps;
  return bodyValue(steps, name, earlier[shape.indexOf(name, 2) - 2], at);
}
