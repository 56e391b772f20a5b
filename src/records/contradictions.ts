import { type Issue, issueAt, shorten, stopsRow } from '../core/issue.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { valueText } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import { toldApart } from '../core/visible-text.ts';
import type { Resource } from '../schema/resource.ts';
import type { EarlierRows } from './earlier-rows.ts';
import { createdValues, type ExistingRecord, heldIn, type SameField } from './existing-record.ts';
import { addressOf, type MappedRow, type RowPlace } from './mapped-row.ts';
import type { PlanRules } from './planning.ts';
import { type EarlierRow, type RecordSoFar, type Said, takeSaid } from './record-so-far.ts';
import { canChange } from './three-way.ts';

/** What a row is held against. */
interface RecordRows {
  readonly earlier: EarlierRows;
  readonly rules: Pick<PlanRules, 'locale'>;
  readonly same: SameField;
  /** The record before all rows. */
  readonly service: ExistingRecord | null;
  /** The field by which the row names its record. */
  readonly named: string;
}

type Refused = Map<EarlierRow, Issue[]>;

/**
 * Refuses a row that contradicts earlier rows on its record, and those with it: of two values for one field,
 * or two rows that make one record, nobody can tell which is meant. A row marked `update` is meant to come
 * after them. Each is told of one other. Answers whether the row is refused.
 */
export async function refuseContradiction(
  row: MappedRow,
  key: string | null,
  about: RecordRows,
): Promise<boolean> {
  const { earlier, service } = about;
  if (key === null || !earlier.maybe(key) || stopsRow(row.issues)) return false;
  if (row.action !== 'auto' && row.action !== 'create') return false;
  const soFar = await earlier.soFar(key);
  if (soFar === undefined) return false;
  const isNew = service === null || soFar.isDeleted;
  const refused: Refused = new Map();
  const apart = (isNew ? madeApart : valuesApart)(row, soFar, about, refused);
  if (refused.size > 0) await earlier.refuse(soFar, refused);
  if (isNew && refused.size > 0) soFar.forget();
  return apart;
}

/** Holds a row against those that make its record. What is not made leaves no row anything to be about. */
function madeApart(row: MappedRow, soFar: RecordSoFar, about: RecordRows, refused: Refused): boolean {
  const { named } = about;
  const after = soFar.after(about.service);
  const first = soFar.refused ?? soFar.maker;
  if (first === null) return false;
  if (soFar.refused === null) {
    const both = row.action === 'create' && soFar.maker !== null;
    if (!both && (after === null || !makesOther(row, after, about.same))) return false;
  }
  const issue = (own: RowPlace, other: RowPlace, value: Value | undefined): Issue =>
    apartIssue('created-twice', named, [own, shownIn(value, about)], [other, null], about);
  const mine = placeOf(row);
  row.issues.push(issue(mine, first, row.values[named]));
  const held = after === null ? undefined : heldIn(row.mapping.resource, after, named);
  soFar.refused = first;
  for (const one of soFar.open) refused.set(one, [issue(one, mine, held)]);
  return true;
}

/** Holds each value of a row against what others say of it: that take part, or were refused for it. */
function valuesApart(row: MappedRow, soFar: RecordSoFar, about: RecordRows, refused: Refused): boolean {
  const { values, mapping } = row;
  const { resource } = mapping;
  const { service, same } = about;
  const after = soFar.after(service);
  const mine = placeOf(row);
  let found = false;
  for (const field of Object.keys(values)) {
    const one = soFar.said(field);
    if (one === undefined) continue;
    const value = values[field] ?? null;
    const held = service === null ? undefined : heldIn(resource, service, field);
    const saidValue = (said: Said): Value | undefined => (said.to === undefined ? held : said.to);
    const isApart = (theirs: Value | undefined): boolean =>
      theirs !== undefined && !same(field, theirs, value);
    // What a row in between, marked update, says too is no contradiction.
    const tried = tells(resource, field, false) && after !== null && isApart(heldIn(resource, after, field));
    const apart = tried ? takeSaid(one, (said) => isApart(saidValue(said))) : [];
    if (apart.length === 0 && one.refused.length === 0) continue;
    const own = shownIn(value, about);
    for (const said of apart) {
      const theirs = shownIn(saidValue(said), about);
      for (const other of said.rows) {
        if (other.refused) continue;
        const issue = apartIssue('value-twice', field, [other, theirs], [mine, own], about);
        refused.set(other, [...(refused.get(other) ?? []), issue]);
        soFar.tell(field, other, theirs);
      }
    }
    const other = one.refused.find(({ said }) => said.en !== own.en) ?? one.refused[0];
    if (other === undefined) continue;
    found = true;
    row.issues.push(apartIssue('value-twice', field, [mine, own], [other.place, other.said], about));
    soFar.tell(field, mine, own);
  }
  refuseFollowing(soFar, about, refused);
  return found;
}

/** Refuses rows that only repeat what a refused one was to write: nobody writes it now. */
function refuseFollowing(soFar: RecordSoFar, { earlier }: RecordRows, refused: Refused): void {
  for (let before = -1; before !== refused.size; ) {
    before = refused.size;
    if (before === 0) return;
    for (const { field, by, row } of soFar.following((one) => one.refused || refused.has(one))) {
      const where = `${by.sheet}!${cellOf(by, field, earlier) ?? by.row}`;
      const finding = { code: 'repeats-refused', found: '', hint: t(where, where) } as const;
      refused.set(row, [issueAt(finding, { field, address: cellOf(row, field, earlier) })]);
    }
  }
}

/** Whether a row says otherwise of a new record than those before it, or more, and could make it itself. */
function makesOther(row: MappedRow, after: ExistingRecord, same: SameField): boolean {
  const { values, mapping } = row;
  const { resource } = mapping;
  const says = (field: string): boolean => tells(resource, field, true);
  const held = (field: string): Value => heldIn(resource, after, field) ?? null;
  const apart = Object.entries(values).filter(
    ([name, value]) => says(name) && !same(name, held(name), value),
  );
  if (apart.some(([name]) => held(name) !== null)) return true;
  const needed = Object.keys(resource.fields).filter(says);
  return apart.length > 0 && createdValues(row, needed).lacks.length === 0;
}

/** Whether a field says something of its record that can be sent, and not which record it is. */
function tells(resource: Resource, field: string, isNew: boolean): boolean {
  if ('external' in resource && field === resource.external) return true;
  if (resource.keys.includes(field)) return false;
  return canChange(resource, field) || (isNew && resource.fields[field]?.create !== 'none');
}

/** A value in messages. */
function shownIn(value: Value | undefined, { rules }: RecordRows): Bilingual {
  const shown = (language: Language): string =>
    value === undefined ? '' : shorten(valueText(value, language, rules.locale));
  return t(shown('en'), shown('nl'));
}

const placeOf = ({ row, mapping: { sheet } }: MappedRow): RowPlace => ({ sheet, row });

/** The issue on one of two rows that contradict each other; it names the cell of the other. */
function apartIssue(
  code: 'created-twice' | 'value-twice',
  field: string,
  [own, mine]: readonly [RowPlace, Bilingual],
  [other, said]: readonly [RowPlace, Bilingual | null],
  { earlier }: RecordRows,
): Issue {
  const where = `${other.sheet}!${cellOf(other, field, earlier) ?? other.row}`;
  const [found, en] = toldApart(mine.en, said?.en ?? '');
  const [, nl] = toldApart(mine.nl, said?.nl ?? '');
  const hint = said === null ? t(where, where) : t(`${where} says "${en}"`, `${where} zegt "${nl}"`);
  return issueAt({ code, found, hint }, { field, address: cellOf(own, field, earlier) });
}

/** The address of a field's cell in a row; of a key that has no column that of another key. */
function cellOf({ sheet, row }: RowPlace, field: string, { sheets }: EarlierRows): string | null {
  const columns = sheets.get(sheet);
  if (columns === undefined) return null;
  const { keys } = columns.resource;
  const names = keys.includes(field) ? [field, ...keys] : [field];
  const there = names.find((name) => columns.columnOf.has(name));
  return there === undefined ? null : addressOf(columns, there, row);
}
