import { isDeepStrictEqual } from 'node:util';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Finding, type Issue, issueAt, shorten } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-catalogue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Locale, Value } from '../../core/value.ts';
import { hashOf } from '../../ledger/hash-index.ts';
import { sameValue } from '../../records/existing-record.ts';
import { addressOf, bothRowsText, rowPlaceText } from '../../records/mapped-row.ts';
import {
  type PlannerSetup,
  type RevisedRow,
  type RunOf,
  refusedRow,
  saidFields,
  type UnplacedRow,
  unsentRow,
} from '../../records/planning.ts';
import type { Resource } from '../../schema/resource.ts';

/** So many rows are about one record at most. */
const MOST_ROWS = 10_000;

/** Notes which records several rows of a resource's plan name, and settles what these say when all are in the ledger. */
export function createSharedRecords({ ledger, run, resource }: RunOf<Resource>) {
  const external = 'external' in resource ? resource.external : null;
  // By their hashes: the texts of a million would take a hundred megabytes.
  const seen = new Set<number>();
  const shared = new Map<string, number>();
  /** The records that rows give an ExternalID, by the key of a record that would be made with it. */
  const given = new Map<string, Set<string>>();
  const sheets = new Map<string, PlannerSetup['mapping']>();
  let setup: Pick<PlannerSetup, 'base' | 'rules'> | undefined;
  const note = (name: string): void => {
    const hash = hashOf(name);
    if (!seen.has(hash)) {
      seen.add(hash);
      return;
    }
    const rows = (shared.get(name) ?? 1) + 1;
    shared.set(name, rows);
    if (rows > MOST_ROWS) throw tooMany(resource, name);
  };
  const rowsOf = (key: string): Promise<readonly PlannedRow[]> => ledger.plannedFor(run, resource.name, key);
  const about = (key: string): SharedRecord => ({
    ...{ resource, sheets, isExported: setup?.base.find(resource.name, key) !== undefined },
    ...{ strict: setup?.rules.strict === true, locale: setup?.rules.locale },
  });
  /** Rows that would give one ExternalID to several records. */
  const givers = async (key: string): Promise<PlannedRow[]> => {
    const rows = [...(await rowsOf(key))];
    for (const other of given.get(key) ?? [])
      for (const row of await rowsOf(other))
        if (row.changes.some(({ field, to }) => field === external && `external:${to}` === key))
          rows.push(row);
    return rows.filter(({ action }) => action === 'create' || action === 'update');
  };
  return {
    /** To be called before the rows of a sheet come. */
    open({ mapping, base, rules }: PlannerSetup): void {
      sheets.set(mapping.sheet, mapping);
      setup = { base, rules };
    },
    /** Takes a planned row. */
    add({ key, action, changes }: UnplacedRow): void {
      if (key === null || action === 'skip') return;
      note(key);
      const gives = changes.find(({ field }) => field === external)?.to;
      if (typeof gives !== 'number') return;
      const name = `external:${gives}`;
      given.set(name, (given.get(name) ?? new Set()).add(key));
      note(name);
    },
    /** To be called when all rows are in the ledger; answers those that become another. */
    async settle(): Promise<readonly RevisedRow[]> {
      const revised = new Map<number, RevisedRow>();
      const take = (one: RevisedRow): void => void revised.set(one.was.seq, one);
      for (const name of shared.keys()) settleRows(await rowsOf(name), about(name)).forEach(take);
      for (const name of given.keys()) {
        if (!shared.has(name)) continue;
        const rows = (await givers(name)).filter(({ seq }) => revised.get(seq)?.now.action !== 'invalid');
        // They would give one ExternalID to several records.
        for (const [row, issues] of refuseOthers(rows, (one, two) => one.key === two.key, about(name)))
          take({ was: row, now: refusedRow(revised.get(row.seq)?.now ?? row, issues) });
      }
      shared.clear();
      given.clear();
      return [...revised.values()];
    },
  };
}

function tooMany({ sheet, keys }: Resource, name: string): StopError {
  const record = `${keys[0] ?? ''} ${name.replace(/^\w+:/, '')}`;
  return new StopError(
    EXIT.file,
    t(
      `More than ${MOST_ROWS} rows of ${sheet} are about one record (${record}).`,
      `Meer dan ${MOST_ROWS} rijen van ${sheet} gaan over één record (${record}).`,
    ),
    { next: t('Check the column of its key.', 'Kijk de kolom van de sleutel na.') },
  );
}

/** What rows on one record are settled by. */
interface SharedRecord {
  readonly resource: Resource;
  /** The columns of each sheet, by its name. */
  readonly sheets: ReadonlyMap<string, PlannerSetup['mapping']>;
  /** The file was written with what the record held: a row that says otherwise was changed, or copied. */
  readonly isExported: boolean;
  readonly strict: boolean;
  readonly locale?: Locale | undefined;
}

/**
 * Settles what several rows say of one record, by how each was planned by itself, in file order. Of two values
 * for one field, two ways to make it, or a delete beside anything else nobody can tell which is meant: those
 * rows are refused, and each names a cell of the other. A row that repeats an earlier one is skipped. Answers
 * the rows that become another.
 */
function settleRows(rows: readonly PlannedRow[], about: SharedRecord): RevisedRow[] {
  const taking = rows.filter(({ action }) => TAKES_PART.has(action));
  if (taking.length < 2 || taking.every(({ steps }) => steps.length === 0)) return [];
  const refused = contradicted(taking, about);
  const first = taking.find((row) => !refused.has(row));
  const written = new Map<string, Value>();
  return taking.flatMap((was) => {
    if (was === first) {
      for (const { field, to } of was.changes) written.set(field, to);
      return [];
    }
    const issues = refused.get(was);
    const now =
      issues === undefined ? following(was, first as PlannedRow, written, about) : refusedRow(was, issues);
    return [{ was, now }];
  });
}

const TAKES_PART: ReadonlySet<string> = new Set(['create', 'update', 'unchanged', 'delete']);

type Refused = Map<PlannedRow, Issue[]>;

const isMade = ({ steps: [first] }: PlannedRow): boolean => first?.purpose === 'create';

/** What a row comes to: rows of which this is the same do not contradict each other. */
const contentOf = ({ action, changes, steps }: PlannedRow) => [
  action,
  changes,
  steps.map(({ body }) => body),
];

/** Refuses the rows that leave it open what is to become of the record. */
function contradicted(rows: readonly PlannedRow[], about: SharedRecord): Refused {
  const { isExported } = about;
  const isWhole = rows.some((row) => row.action === 'delete' || isMade(row));
  if (!isExported && !isWhole) return valuesApart(rows, about);
  const refused = refuseOthers(rows, (one, two) => isDeepStrictEqual(contentOf(one), contentOf(two)), about);
  return new Map([...refused].filter(([row]) => !isExported || row.steps.length > 0));
}

/** Refuses rows of which not all are the same; each names another one. */
function refuseOthers(
  rows: readonly PlannedRow[],
  same: (one: PlannedRow, two: PlannedRow) => boolean,
  about: SharedRecord,
): Refused {
  const otherThan = firstOther(rows, same);
  return new Map(
    rows.flatMap((row) => {
      const other = otherThan(row);
      return other === undefined ? [] : [[row, [keyIssue('created-twice', row, other, about)]]];
    }),
  );
}

/** Refuses the rows that give one field of the record several values; what it holds counts as said too. */
function valuesApart(rows: readonly PlannedRow[], about: SharedRecord): Refused {
  const refused: Refused = new Map();
  const changed = new Map(rows.flatMap(({ changes }) => changes.map(({ field, from }) => [field, from])));
  for (const [field, held] of changed) {
    const said = rows.flatMap((row) => {
      const value = saidOf(row, field, held, about);
      return value === undefined ? [] : [{ row, value }];
    });
    const otherThan = firstOther(said, (one, two) => sameValue(one.value, two.value));
    for (const { row, value } of said) {
      const other = otherThan({ row, value });
      if (other === undefined) continue;
      const [found, others] = [value, other.value].map((one) => shorten(valueText(one, 'en', about.locale)));
      const [own, its] = [rowPlaceText(row, row.sheet), rowPlaceText(other.row, row.sheet)];
      const hint = t(
        `${own.en} says “${found}” and ${its.en} “${others}”`,
        `${own.nl} zegt „${found}” en ${its.nl} „${others}”`,
      );
      const issue = issueOf(row, field, { code: 'value-twice', found: found ?? '', hint }, about);
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

/** A row as it follows earlier ones on its record: what they send (`written`) it does not send again, nor undo. */
function following(
  row: PlannedRow,
  first: PlannedRow,
  written: Map<string, Value>,
  about: SharedRecord,
): PlannedRow {
  const twice = keyIssue('record-twice', row, first, about);
  if (about.strict) return refusedRow(row, [twice]);
  const issues = [...row.issues, twice];
  if (row.steps.length === 0) return { ...row, issues };
  const changes = row.changes.filter(({ field, to }) => !sameValue(written.get(field), to));
  const isRepeat = changes.length === 0 && row.changes.length > 0;
  if (isMade(row) || row.action === 'delete' || isRepeat)
    return unsentRow(row, 'skip', repeatsText(first), issues);
  // What an update sends along as it was is what an earlier row makes it.
  const said = saidFields(about.resource, row.said);
  const along = [...written].filter(([field]) => !said.includes(field));
  const steps = row.steps.map((step) => {
    const sent = along.filter(([field]) => field in step.body);
    return { ...step, body: { ...step.body, ...Object.fromEntries(sent) } };
  });
  for (const { field, to } of changes) written.set(field, to);
  // What the record holds beside it is known when the earlier rows are sent.
  return { ...row, rest: true, changes, steps, issues };
}

const repeatsText = ({ sheet, row }: PlannedRow): Bilingual =>
  t(
    `repeats what ${sheet}!${row} says of this record: see there what became of it`,
    `herhaalt wat ${sheet}!${row} over dit record zegt: zie daar wat ervan geworden is`,
  );

/** The issue on a row's key that another row on its record makes wrong or needless. */
function keyIssue(code: IssueCode, row: PlannedRow, other: PlannedRow, about: SharedRecord): Issue {
  const { resource } = about;
  const { key = {} } = row.about ?? {};
  const field = 'child' in resource ? resource.child : (resource.keys.find((one) => one in key) ?? '');
  return issueOf(
    row,
    field,
    { code, found: String(key[field] ?? ''), hint: bothRowsText(row, other) },
    about,
  );
}

function issueOf({ sheet, row }: PlannedRow, field: string, finding: Finding, about: SharedRecord): Issue {
  const columns = about.sheets.get(sheet);
  const address = columns === undefined ? null : addressOf(columns, field, row);
  return issueAt(finding, { field, address }, about.strict);
}
