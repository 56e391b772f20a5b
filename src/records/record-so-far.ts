import type { Issue } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Value } from '../core/value.ts';
import type { Resource } from '../schema/resource.ts';
import { changedValues, type ExistingRecord, heldIn, plainValues } from './existing-record.ts';
import type { MappedRow, RowPlace } from './mapped-row.ts';
import type { UnplacedRow } from './planning.ts';

const marks = new WeakMap<Resource['fields'], ReadonlyMap<string, string>>();

/** A character for each field of a resource, as a million rows are not to hold lists of names. */
function marksOf({ fields }: Resource): ReadonlyMap<string, string> {
  const known = marks.get(fields);
  if (known !== undefined) return known;
  const made = new Map(Object.keys(fields).map((name, at) => [name, String.fromCharCode(0x30 + at)]));
  marks.set(fields, made);
  return made;
}

/** The fields of which a row says something, also what changes nothing, as `PlannedRow.said` holds them. */
export function saidBy({ values, mapping }: MappedRow): string {
  const known = marksOf(mapping.resource);
  let said = '';
  for (const field in values) said += known.get(field) ?? '';
  return said;
}

function saidFields(resource: Resource, said = ''): string[] {
  const names = Object.keys(resource.fields);
  return said.split('').flatMap((mark) => names[mark.charCodeAt(0) - 0x30] ?? []);
}

/** Whether an issue says that another row contradicts its own. */
const isTold = ({ code }: Issue): boolean => code === 'created-twice' || code === 'value-twice';

/** A row on a record that others name too. */
export interface EarlierRow extends RowPlace {
  /** Null once it is in the ledger, under `seq`. */
  planned: UnplacedRow | null;
  seq: number;
  refused: boolean;
}

/** What rows that follow one another say of a field. */
export interface Said {
  /** The row that made it so; null for the record's own value. */
  readonly by: EarlierRow | null;
  /** Absent for the record's own value. */
  readonly to?: Value;
  readonly rows: EarlierRow[];
}

/** A row that was refused for what it says of a field. */
interface Refused {
  readonly place: RowPlace;
  readonly said: Bilingual;
}

interface FieldSoFar {
  readonly changes: { readonly by: EarlierRow; readonly to: Value }[];
  said: Said[];
  /** At most two, that say otherwise. */
  readonly refused: Refused[];
}

/**
 * A record after the rows of a plan on it so far: what a later row is planned on and held against, in time
 * that does not grow with their number.
 */
export class RecordSoFar {
  /** The last row that names the record, whatever becomes of it. */
  last: UnplacedRow | undefined;
  /** How many rows send something. */
  sending = 0;
  /** An earlier row deletes it; the rest is about rows after that one. */
  isDeleted = false;
  /** The row that makes it. */
  maker: EarlierRow | null = null;
  /** The first row that was refused for what another says. */
  refused: RowPlace | null = null;
  /** Rows that take part in what becomes of it, until they are refused. */
  open: EarlierRow[] = [];
  private made: ExistingRecord | null = null;
  private fields = new Map<string, FieldSoFar>();
  private lastAt: EarlierRow | undefined;
  private readonly resource: Resource;

  constructor(resource: Resource) {
    this.resource = resource;
  }

  /** Takes the next row on the record; one that is marked skip is not about it. */
  add(row: UnplacedRow, at: EarlierRow): void {
    if (row.action === 'skip') return;
    [this.last, this.lastAt] = [row, at];
    if (row.steps.length > 0) this.sending++;
    if (row.action === 'delete') {
      this.isDeleted = true;
      this.forget();
      this.refused = null;
      return;
    }
    for (const { field, found } of row.issues.filter(isTold)) this.tell(field ?? '', at, t(found, found));
    if (!['create', 'update', 'unchanged'].includes(row.action)) return;
    this.open.push(at);
    if (row.steps[0]?.purpose === 'create') this.make(row, at);
    else this.change(row, at);
  }

  /** The record after these rows, which the service holds as `service`; that itself where they leave it. */
  after(service: ExistingRecord | null): ExistingRecord | null {
    const was = this.made ?? (this.isDeleted ? null : service);
    const changed = this.changed();
    if (changed === null) return was;
    const values = { ...was?.values, ...changed };
    const given = 'external' in this.resource ? values[this.resource.external] : undefined;
    const external = typeof given === 'number' ? given : (was?.external ?? null);
    return { ...was, id: was?.id ?? null, external, lmt: was?.lmt ?? null, values };
  }

  /** The values that rows changed, as they are after these rows; null for none. */
  changed(): Record<string, Value> | null {
    let values: Record<string, Value> | null = null;
    for (const [field, one] of this.fields) {
      const change = lastOf(one);
      if (change === undefined) continue;
      values ??= {};
      values[field] = change.to;
    }
    return values;
  }

  /** Whether rows made or deleted the record (`service`), or changed what a row says of it. */
  leads({ values, mapping: { resource } }: MappedRow, service: ExistingRecord | null): boolean {
    if (this.isDeleted || service === null) return true;
    // A key that it had before says only which record it is.
    const isNamed = (field: string, key: Value): boolean =>
      resource.keys.includes(field) && heldIn(resource, service, field) === key;
    return Object.entries(this.changed() ?? {}).some(
      ([field, to]) => values[field] !== undefined && !isNamed(field, to),
    );
  }

  /** What was said of a field so far; undefined for nothing. */
  said(field: string): FieldSoFar | undefined {
    return this.fields.get(field);
  }

  /** Takes rows that say no more of a field than one that is refused was to write: nobody writes it now. */
  *following(
    isRefused: (row: EarlierRow) => boolean,
  ): Generator<{ field: string; by: EarlierRow; row: EarlierRow }> {
    for (const [field, { said }] of this.fields)
      for (const { by, rows } of said)
        if (by !== null && isRefused(by))
          for (const row of rows.splice(0)) if (!isRefused(row)) yield { field, by, row };
  }

  /** Notes that a row was refused for what it says of a field. */
  tell(field: string, { sheet, row }: RowPlace, said: Bilingual): void {
    this.refused ??= { sheet, row };
    const { refused } = this.field(field);
    if (refused.length < 2 && refused[0]?.said.en !== said.en) refused.push({ place: { sheet, row }, said });
  }

  /** A row becomes another. */
  replace(at: EarlierRow, was: UnplacedRow, now: UnplacedRow): void {
    at.refused = true;
    if (was.steps.length > 0) this.sending--;
    if (at === this.lastAt) this.last = now;
  }

  /** Forgets what rows made of the record: they are refused, or before a delete. */
  forget(): void {
    [this.made, this.maker, this.open] = [null, null, []];
    this.fields = new Map();
  }

  private make(row: UnplacedRow, at: EarlierRow): void {
    const values = plainValues(Object.assign({}, ...row.steps.map((step) => step.body)));
    this.made = { id: null, external: row.external, lmt: null, values };
    this.maker ??= at;
  }

  private change(row: UnplacedRow, at: EarlierRow): void {
    const changed = row.steps.length > 0 ? changedValues(row.changes) : {};
    // Where a service keeps no ExternalID, a row that names its record by it says which it has.
    if ('external' in this.resource && row.steps.length > 0 && row.external !== null)
      changed[this.resource.external] = row.external;
    for (const field in changed) this.field(field).changes.push({ by: at, to: changed[field] as Value });
    for (const field of saidFields(this.resource, row.said)) {
      const one = this.field(field);
      const change = lastOf(one);
      const before = one.said.at(-1);
      if (before !== undefined && before.by === (change?.by ?? null)) before.rows.push(at);
      else one.said.push(change === undefined ? { by: null, rows: [at] } : { ...change, rows: [at] });
    }
  }

  private field(name: string): FieldSoFar {
    const known = this.fields.get(name);
    if (known !== undefined) return known;
    const made: FieldSoFar = { changes: [], said: [], refused: [] };
    this.fields.set(name, made);
    return made;
  }
}

/** The last change of a field by a row that was not refused since. */
function lastOf({ changes }: FieldSoFar): FieldSoFar['changes'][number] | undefined {
  while (changes.at(-1)?.by.refused === true) changes.pop();
  return changes.at(-1);
}

/** Takes out what is said otherwise of a field; what is left says the same, and counts as one. */
export function takeSaid(one: FieldSoFar, isApart: (said: Said) => boolean): readonly Said[] {
  const taken: Said[] = [];
  let left: Said | undefined;
  for (const said of one.said) {
    if (isApart(said)) taken.push(said);
    else if (left === undefined) left = said;
    else {
      for (const row of said.rows) left.rows.push(row);
      left = { ...said, rows: left.rows };
    }
  }
  one.said = left === undefined ? [] : [left];
  return taken;
}
