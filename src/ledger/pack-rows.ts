import { promisify } from 'node:util';
import { deflateRaw, type InputType, inflateRawSync, type ZlibOptions } from 'node:zlib';
import type { PlannedRow, Step } from '../schema/plan.ts';

/** A step without what differs from row to row: its purpose, its endpoint, and the names of what its body holds. */
type Shape = readonly [purpose: string, endpoint: string, ...names: string[]];

/** The number of its shape, its fingerprint (1: the row's own key), other names, its params, and the values of its body. */
type PackedStep = readonly unknown[];

type PackedRow = readonly [
  ...(readonly [row: number, action: string, key: string | null, id: number | null, external: number | null]),
  ...(readonly [lmt: string | null, message: unknown, changes: unknown, needs: unknown, issues: unknown]),
  ...PackedStep[],
];

interface Packed {
  readonly first: number;
  readonly sheet: string;
  readonly resource: string;
  readonly shapes: readonly Shape[];
  readonly rows: readonly PackedRow[];
}

const OWN_KEY = 1;
/** Stands for a value that is as in the step of the same shape before it: columns repeat themselves. */
const SAME = '~';
const MARK = SAME.charCodeAt(0);
/** A plan repeats itself from row to row: the least effort and a small window do, and are quicker to set up. */
const LITTLE: ZlibOptions = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 1 << 16 };

const deflate = promisify<InputType, ZlibOptions, Buffer>(deflateRaw);

/** Before the first step of a packed row. */
const STEPS = 10;

/**
 * Rows of one sheet and resource whose places follow on each other, as bytes: names once, values in their order, and
 * that deflated. A tenth of what the same rows are as JSON, and quicker to write.
 */
export async function packRows(rows: readonly PlannedRow[]): Promise<Buffer> {
  const [first] = rows as readonly [PlannedRow];
  const packing: Packing = { shapes: [], last: [] };
  const packed: Packed = {
    first: first.seq,
    sheet: first.sheet,
    resource: first.resource,
    shapes: packing.shapes,
    rows: rows.map((row) => packRow(row, packing)),
  };
  return await deflate(JSON.stringify(packed), LITTLE);
}

/** What is known of the rows that were packed so far: the steps' shapes, and the last values of each. */
interface Packing {
  readonly shapes: Shape[];
  readonly last: unknown[][];
}

function packRow(row: PlannedRow, packing: Packing): PackedRow {
  const { action, key, id, external, lmt, message, changes, needs, issues, steps } = row;
  const packed: unknown[] = [row.row, action, key, id, external, lmt, message];
  packed.push(unlessEmpty(changes), unlessEmpty(needs), unlessEmpty(issues));
  for (const step of steps) packed.push(packStep(step, key, packing));
  return packed as unknown as PackedRow;
}

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | 0 => (list.length === 0 ? 0 : list);

function packStep(step: Step, key: string | null, packing: Packing): PackedStep {
  const { fingerprint, also, params, body } = step;
  const own = fingerprint !== undefined && fingerprint === key ? OWN_KEY : (fingerprint ?? 0);
  for (let at = 0; at < packing.shapes.length; at++) {
    const packed = packValues(body, [at, own, also ?? 0, params ?? 0], at, packing, step);
    if (packed !== null) return packed;
  }
  packing.shapes.push([step.purpose, step.endpoint, ...Object.keys(body)]);
  return packStep(step, key, packing);
}

/** The values of a body behind `packed`; null when it is of another shape. Names and values in one go: there are many. */
function packValues(
  body: Step['body'],
  packed: unknown[],
  at: number,
  { shapes, last }: Packing,
  { purpose, endpoint }: Step,
): PackedStep | null {
  const shape = shapes[at] as Shape;
  if (shape[0] !== purpose || shape[1] !== endpoint) return null;
  let place = 2;
  for (const name in body) if (shape[place++] !== name) return null;
  if (place !== shape.length) return null;
  const before = last[at] ?? [];
  last[at] = before;
  for (let value = 0; value < place - 2; value++) {
    const own = body[shape[value + 2] as string];
    packed.push(own === before[value] ? SAME : typeof own === 'string' ? escaped(own) : own);
    before[value] = own;
  }
  return packed;
}

/** Text that begins like the mark has it doubled. */
const escaped = (text: string): string => (text.charCodeAt(0) === MARK ? `${SAME}${text}` : text);

/** The rows of packed bytes. */
export function unpackRows(bytes: ArrayBuffer): PlannedRow[] {
  const packed = JSON.parse(inflateRawSync(bytes).toString('utf8')) as Packed;
  const last: (readonly unknown[])[] = [];
  return packed.rows.map((row, at) => unpackRow(row, packed, last, at));
}

function unpackRow(
  packed: PackedRow,
  { first, sheet, resource, shapes }: Packed,
  last: (readonly unknown[])[],
  at: number,
): PlannedRow {
  const [row, action, key, id, external, lmt, message, changes, needs, issues] = packed;
  return {
    ...{ seq: first + at, sheet, row, resource, action, key, id, external, lmt },
    changes: changes === 0 ? [] : changes,
    steps: packed.slice(STEPS).map((step) => unpackStep(step as PackedStep, key, { shapes, last })),
    needs: needs === 0 ? [] : needs,
    issues: issues === 0 ? [] : issues,
    message,
  } as PlannedRow;
}

interface Unpacking {
  readonly shapes: readonly Shape[];
  readonly last: (readonly unknown[])[];
}

function unpackStep(packed: PackedStep, key: string | null, { shapes, last }: Unpacking): Step {
  const [at, fingerprint, also, params, ...stored] = packed;
  const shape = at as number;
  const [purpose, endpoint, ...names] = shapes[shape] as Shape;
  const before = last[shape] ?? [];
  const values = stored.map((value, place) => unescaped(value, before[place]));
  last[shape] = values;
  return {
    purpose,
    endpoint,
    body: Object.fromEntries(names.map((name, place) => [name, values[place]])),
    ...(params === 0 ? {} : { params }),
    ...(fingerprint === 0 ? {} : { fingerprint: fingerprint === OWN_KEY ? key : fingerprint }),
    ...(also === 0 ? {} : { also }),
  } as Step;
}

function unescaped(value: unknown, before: unknown): unknown {
  if (value === SAME) return before;
  return typeof value === 'string' && value.charCodeAt(0) === MARK ? value.slice(1) : value;
}
