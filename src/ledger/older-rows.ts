import type { PlannedRow, Step } from '../core/plan.ts';

/** A step without what differs from row to row: its purpose, its endpoint, and the names of what its body holds. */
type Shape = readonly [purpose: string, endpoint: string, ...names: string[]];

/** The number of its shape, its fingerprint (1: the row's own key), other names, its params, and the values of its body. */
type PackedStep = readonly unknown[];

type PackedRow = readonly [
  ...(readonly [row: number, action: string, key: string | null, id: number | null, external: number | null]),
  ...(readonly [lmt: string | null, message: unknown, changes: unknown, needs: unknown, issues: unknown]),
  ...PackedStep[],
];

/** A chunk as ledgers held it before their rows were stored by column. */
export interface OlderChunk {
  readonly first: number;
  readonly sheet: string;
  readonly resource: string;
  readonly shapes: readonly Shape[];
  readonly rows: readonly PackedRow[];
}

const OWN_KEY = 1;
/** Stands for a value that is as in the step of the same shape before it. */
const SAME = '~';
const MARK = SAME.charCodeAt(0);
/** Before the first step of a packed row. */
const STEPS = 10;

/** The rows of such a chunk. */
export function unpackOlder(packed: OlderChunk): PlannedRow[] {
  const last: (readonly unknown[])[] = [];
  return packed.rows.map((row, at) => unpackRow(row, packed, last, at));
}

function unpackRow(
  packed: PackedRow,
  { first, sheet, resource, shapes }: OlderChunk,
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
