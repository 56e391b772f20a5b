import { isDeepStrictEqual } from 'node:util';
import { type Issue, issueAt, shorten } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { FieldChange, PlannedRow } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Locale, Value } from '../../core/value.ts';
import { toldApart } from '../../core/visible-text.ts';
import { plainValues, sameValue } from '../../records/existing-record.ts';
import { addressOf, type SheetColumns } from '../../records/mapped-row.ts';
import type { RevisedRow } from '../../records/planning.ts';
import { ALREADY_GONE, refusedRow } from '../../records/row-decision.ts';
import { saidFields } from '../../records/said-fields.ts';
import { isNothing } from '../../records/unsent-fields.ts';
import type { Resource } from '../../schema/resource.ts';

/** What rows on one record are settled by. */
export interface SharedRecord {
  readonly resource: Resource;
  /** The columns of each sheet, by its name. */
  readonly sheets: ReadonlyMap<string, SheetColumns>;
  /** The file was written with what the record held: a row that says otherwise was changed, or copied. */
  readonly isExported: boolean;
  readonly strict: boolean;
  readonly locale?: Locale | undefined;
}

/**
 * Settles what several rows say of one record, by how each was planned by itself, in file order. Of two values
 * for one field, two ways to make it, or a delete beside anything else nobody can tell which is meant: those
 * rows are refused, and each names a cell of the other. A row that repeats an earlier one follows it. Answers
 * the rows that become another.
 */
export function settleRows(rows: readonly PlannedRow[], about: SharedRecord): RevisedRow[] {
  const taking = rows.filter(({ action }) => TAKES_PART.has(action));
  if (taking.length < 2 || taking.every(({ steps }) => steps.length === 0)) return [];
  const refused = about.isExported ? copiedRows(taking, about) : contradicted(taking, about);
  const left = taking.filter((row) => !refused.has(row));
  const written = new Map<string, Value>();
  const now = taking.map((row) => {
    const issues = refused.get(row);
    if (issues !== undefined) return refusedRow(row, issues) as PlannedRow;
    const follows = following(row, left[0] as PlannedRow, written, about);
    for (const { field, to } of row.changes) written.set(field, to);
    return follows;
  });
  return taking.flatMap((was, at) => (now[at] === was ? [] : [{ was, now: now[at] as PlannedRow }]));
}

const TAKES_PART: ReadonlySet<string> = new Set(['create', 'update', 'unchanged', 'delete']);

type Refused = Map<PlannedRow, Issue[]>;

const isMade = ({ steps: [first] }: PlannedRow): boolean => first?.purpose === 'create';

/** Refuses rows that leave it open what is to become of the record. */
export function apart(rows: readonly PlannedRow[], about: SharedRecord): Refused {
  return new Map(
    rows.map((row) => {
      const other = rows.find((one) => one !== row && one.key !== row.key) ?? rows.find((one) => one !== row);
      return [
        row,
        other === undefined ? [] : [apartIssue('created-twice', nameOf(row, about), row, other, about)],
      ];
    }),
  );
}

function contradicted(rows: readonly PlannedRow[], about: SharedRecord): Refused {
  const deletes = rows.filter(({ action }) => action === 'delete');
  if (deletes.length > 0) return deletes.length === rows.length ? new Map() : apart(rows, about);
  const made = rows.filter(isMade);
  if (made.length > 0) {
    const isOnce =
      made.length === rows.length &&
      made.every((row) => isDeepStrictEqual(bodiesOf(row), bodiesOf(rows[0] as PlannedRow)));
    return isOnce ? new Map() : apart(rows, about);
  }
  return valuesApart(rows, about);
}

const bodiesOf = ({ steps }: PlannedRow) => steps.map(({ body }) => body);

/** Refuses the rows that give one field of the record several values; what it holds counts as said too. */
function valuesApart(rows: readonly PlannedRow[], about: SharedRecord): Refused {
  const refused: Refused = new Map();
  const changes = new Map(
    rows.flatMap((row) => row.changes.map((change) => [change.field, change] as const)),
  );
  for (const [field, { from }] of changes) {
    const said = rows.flatMap((row) => {
      const value = saidOf(row, field, from, about);
      return value === undefined ? [] : [{ row, value }];
    });
    const otherThan = firstOther(said, (one, two) => sameValue(one.value, two.value));
    for (const one of said) {
      const { row, value } = one;
      const other = otherThan(one);
      if (other === undefined) continue;
      const values = [value, other.value] as const;
      const issue = apartIssue('value-twice', field, row, other.row, about, values);
      refused.set(row, [...(refused.get(row) ?? []), issue]);
    }
  }
  return refused;
}

/** Finds the first that differs from a given one; as thousands of rows may be alike, none is looked for twice. */
function firstOther<T>(all: readonly T[], same: (one: T, other: T) => boolean): (one: T) => T | undefined {
  const [first] = all;
  const second = first === undefined ? undefined : all.find((one) => !same(first, one));
  return (one) => (first !== undefined && !same(first, one) ? first : second);
}

/** What a row says of a field: what it changes it to, or that it holds it; undefined for nothing. */
function saidOf(
  { changes, said }: PlannedRow,
  field: string,
  held: Value,
  { resource }: SharedRecord,
): Value | undefined {
  const change = changes.find((one) => one.field === field);
  if (change !== undefined) return change.to;
  const fields = saidFields(resource, said);
  // Times are put on the day that the record has.
  const isOfDay = 'date' in resource && field === resource.date;
  const hasTimes = isOfDay && fields.some((name) => resource.fields[name]?.reads === 'none');
  return fields.includes(field) || hasTimes ? held : undefined;
}

/** Refuses the changed rows of a record that an export holds several times with different changes. */
function copiedRows(rows: readonly PlannedRow[], about: SharedRecord): Refused {
  const contentOf = ({ action, changes, steps }: PlannedRow) => ({
    action,
    changes,
    bodies: steps.map(({ body }) => body),
  });
  const otherThan = firstOther(rows, (one, two) => isDeepStrictEqual(contentOf(one), contentOf(two)));
  return new Map(
    rows.flatMap((row) => {
      const other = row.steps.length > 0 ? otherThan(row) : undefined;
      return other === undefined ? [] : [[row, [copiedIssue(row, other, about)]]];
    }),
  );
}

/** A row as it follows earlier ones on its record: what they send (`written`) it does not send again, nor undo. */
function following(
  row: PlannedRow,
  first: PlannedRow,
  written: ReadonlyMap<string, Value>,
  about: SharedRecord,
): PlannedRow {
  if (first === row) return row;
  const twice = twiceIssue(row, first, about);
  if (about.strict) return refusedRow(row, [twice]) as PlannedRow;
  const issues = [...row.issues, twice];
  const needs = row.key === null ? [] : [{ resource: row.resource, key: row.key }];
  const repeated = { ...row, action: 'unchanged', changes: [], steps: [], needs, issues } as const;
  if (isMade(row)) return repeated;
  if (row.action === 'delete') return { ...repeated, message: ALREADY_GONE.message ?? null };
  const isNews = ({ field, to }: FieldChange): boolean => !sameValue(written.get(field), to);
  if (row.steps.length === 0) return { ...row, issues };
  if (row.changes.length > 0 && !row.changes.some(isNews)) return repeated;
  // What an update sends along as it was is what an earlier row makes it.
  const said = saidFields(about.resource, row.said);
  const along = [...written].filter(([field]) => !said.includes(field));
  const steps = row.steps.map((step) => {
    const sent = along.filter(([field]) => field in step.body);
    return { ...step, body: { ...step.body, ...Object.fromEntries(sent) } };
  });
  return { ...row, ...restAfter(row, steps, written), changes: row.changes.filter(isNews), steps, issues };
}

/** What the record holds beside such a row when it is sent: what earlier rows write too. */
function restAfter(
  { rest }: PlannedRow,
  steps: PlannedRow['steps'],
  written: ReadonlyMap<string, Value>,
): Pick<PlannedRow, 'rest'> {
  if (rest === null) return {};
  const beside = [...written].filter(([field]) => steps.every(({ body }) => !(field in body)));
  const held = Object.entries({ ...rest, ...Object.fromEntries(beside) });
  const filled = held.filter(([, value]) => !isNothing(value));
  return filled.length === 0 ? {} : { rest: Object.fromEntries(filled) };
}

/** The field by which a row names its record. */
function nameOf({ said, external }: PlannedRow, { resource }: SharedRecord): string {
  if ('child' in resource) return resource.child;
  const named = resource.keys.find((key) => saidFields(resource, said).includes(key));
  const key = 'external' in resource && external !== null ? resource.external : resource.keys[0];
  return named ?? key ?? '';
}

/** The address of a field's cell in a row; of a key that has no column that of another key. */
function cellOf(
  { sheet, row }: PlannedRow,
  field: string,
  { sheets, resource }: SharedRecord,
): string | null {
  const columns = sheets.get(sheet);
  if (columns === undefined) return null;
  const names = resource.keys.includes(field) ? [field, ...resource.keys] : [field];
  const there = names.find((name) => columns.columnOf.has(name));
  return there === undefined ? null : addressOf(columns, there, row);
}

const placeOf = (row: PlannedRow, field: string, about: SharedRecord): string =>
  `${row.sheet}!${cellOf(row, field, about) ?? row.row}`;

/** What stands in a row's own key, or what it would make of a field. */
const foundIn = (row: PlannedRow, field: string): Value => {
  const made = plainValues(Object.assign({}, ...row.steps.map(({ body }) => body)));
  return made[field] ?? row.external ?? row.id;
};

/** The issue on one of two rows that contradict each other; it names the cell of the other. */
function apartIssue(
  code: 'created-twice' | 'value-twice',
  field: string,
  row: PlannedRow,
  other: PlannedRow,
  about: SharedRecord,
  values?: readonly [mine: Value, theirs: Value],
): Issue {
  const where = placeOf(other, field, about);
  const shown = (value: Value, language: Language): string =>
    shorten(valueText(value, language, about.locale));
  const [mine, theirs] = values ?? [foundIn(row, field)];
  const told = (language: Language): readonly [string, string] => {
    const [own = '', others = ''] = toldApart(
      shown(mine, language),
      theirs === undefined ? '' : shown(theirs, language),
    );
    return [own, others];
  };
  const [[found, en], [, nl]] = [told('en'), told('nl')];
  const hint = theirs === undefined ? t(where, where) : t(`${where} says "${en}"`, `${where} zegt "${nl}"`);
  return issueAt({ code, found, hint }, { field, address: cellOf(row, field, about) });
}

/** The warning (an error if `strict`) on a row whose record an earlier row names too. */
function twiceIssue(row: PlannedRow, earlier: PlannedRow, about: SharedRecord): Issue {
  const field = nameOf(row, about);
  const found = String(foundIn(row, field) ?? '');
  const place = { field, address: cellOf(row, field, about) };
  return issueAt({ code: 'record-twice', found, hint: rowName(row, earlier) }, place, about.strict);
}

const rowName = ({ sheet }: PlannedRow, other: PlannedRow): string =>
  other.sheet === sheet ? `${other.row}` : `${other.row} (${other.sheet})`;

/** The error on a row that was copied from another and still names its record, with the ways out. */
function copiedIssue(row: PlannedRow, other: PlannedRow, about: SharedRecord): Issue {
  const { resource } = about;
  const field = nameOf(row, about);
  const keys = resource.keys.filter((key) => about.sheets.get(row.sheet)?.columnOf.has(key)).join(', ');
  const anew: Bilingual =
    'create' in resource.requests
      ? t(
          `; for a new record empty ${keys} and put create in #action`,
          `; maak voor een nieuw record ${keys} leeg en zet create in #action`,
        )
      : t('', '');
  const name = rowName(row, other);
  const hint = t(
    `row ${name} is about the same record and says something else: delete one of the two${anew.en}`,
    `rij ${name} gaat over hetzelfde record en zegt iets anders: verwijder een van de twee${anew.nl}`,
  );
  const found = String(foundIn(row, field) ?? '');
  return issueAt({ code: 'record-copied', found, hint }, { field, address: cellOf(row, field, about) });
}
