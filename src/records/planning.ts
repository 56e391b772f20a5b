import { type Issue, stopsRow } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { PlannedRow, RowAbout } from '../core/plan.ts';
import type { Locale, Value, Values } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { Memory } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { LookupLists } from '../run/lookup-lists.ts';
import type { Dialect } from '../schema/dialect.ts';
import { isNameHeader, type Resource } from '../schema/resource.ts';
import type { ExistingRecord, SameField } from './existing-record.ts';
import { issueOn, type MappedRow, type SheetColumns } from './mapped-row.ts';
import type { References } from './references.ts';

/** What is done where the user and someone else changed the same field (docs/conflicts.md). */
export const ON_CONFLICT = ['skip', 'mine', 'theirs'] as const;
/** `skip` leaves the whole row, `mine` sends the sheet's value, `theirs` leaves that field alone. */
export type OnConflict = (typeof ON_CONFLICT)[number];

/** What works on one resource is handed: the run's context, and the resource. */
export interface ContextOf<R extends Resource> extends Context {
  readonly resource: R;
}

/** The same in a run of an import. */
export interface RunOf<R extends Resource> extends ContextOf<R> {
  readonly run: string;
}

/** A planned row that has no place in the plan yet. */
export type UnplacedRow = Omit<PlannedRow, 'seq'> & { readonly seq?: number };

/** What a run allows, and what the service is known to do. */
export interface PlanRules {
  /** How the file's numbers are written, in messages too. */
  readonly locale?: Locale | undefined;
  readonly dialect: Dialect;
  readonly allowDelete: boolean;
  /** Warnings count as errors. */
  readonly strict: boolean;
  /** For fields that both the user and someone else changed. */
  readonly onConflict: OnConflict;
  /** The same for single rows, in its place, by `rowName`. */
  readonly decided?: ReadonlyMap<string, OnConflict> | undefined;
  /** The folder of files to send or fetch; an absolute path. */
  readonly folder?: string | undefined;
}

/** What the user decided of a row whose record someone else changed too. Plain data. */
export interface ConflictDecision {
  /** The sheet by its name in the file. */
  readonly sheet: string;
  /** The row's number as results and messages show it. */
  readonly row: number;
  readonly decide: OnConflict;
}

/** The name of a row in what is decided of rows. */
export const rowName = ({ row, sheet }: Pick<ConflictDecision, 'row' | 'sheet'>): string => `${row} ${sheet}`;

/** What is done where a row and someone else changed the same: as decided of the row, else of all of them. */
export const onConflictOf = (
  { onConflict, decided }: Pick<PlanRules, 'onConflict' | 'decided'>,
  { row, mapping: { sheet } }: MappedRow,
): OnConflict => decided?.get(rowName({ row, sheet })) ?? onConflict;

/** How a plan read its records: needed later to tell whether they have changed since. Plain data. */
export interface SourceSummary {
  readonly strategy: 'list' | 'rows';
  /** The newest LMT among what was read; null when no record had one. */
  readonly newest: string | null;
  /** The highest id among what was read; absent where that says nothing of the rest. */
  readonly highest?: number | null;
  /** Records with the newest LMT, as far as they are not too many. */
  readonly atNewest?: readonly number[];
  /** The days of which lists were read. */
  readonly periods?: readonly { readonly from: string; readonly to: string }[];
  /** When it was read, by steady time; absent where that was in an earlier session. */
  readonly readAt?: number;
}

/** The summary of a resource of which nothing is read to plan by. */
export const NOTHING_READ: SourceSummary = { strategy: 'rows', newest: null };

/** What was sent last of a workbook and its copies, by field; `here`: from this very file. */
export type SentSince = Readonly<Record<string, { readonly to: Value; readonly here: boolean }>>;

/** What the records of a workbook were when it was written, as planning its rows asks for it. */
export interface Baseline {
  /** When the workbook was written, ISO in UTC; empty where it does not say. */
  readonly at: string;
  /** The record with this key; undefined where the workbook does not say, or has several. */
  find(resource: string, key: string): BaselineRecord | undefined;
  /** The ids that a name in a column stood for then, of one list or of two; none where it does not say. */
  named(resource: string, header: string, name: string): readonly number[];
  /** What was sent of this workbook and its copies since, for a record; null where nothing was. */
  readonly sent: ((was: BaselineRecord) => Promise<SentSince>) | null;
  /** What a cell of a column that is only shown held then; undefined where the workbook does not say. */
  shown(was: BaselineRecord, header: string): string | undefined;
  /** Takes each row, the issues on its cells, and its record then and now; null where that is not to be told. */
  readonly emptied:
    | ((row: MappedRow, found: readonly Issue[], was: BaselineRecord, service: ExistingRecord) => void)
    | null;
}

/** The rules on what the records of a sheet would be. */
export interface HeldRules {
  /** Fields that they name and that only a read of one record tells. */
  readonly unlisted: readonly string[];
  /** Holds a planned row against them, with its record as it is: it may be invalid then. */
  hold(planned: UnplacedRow, row: MappedRow, existing: ExistingRecord | null): UnplacedRow;
}

/** What planning one sheet works with. */
export interface PlannerSetup {
  readonly context: Context;
  readonly references: References;
  readonly run: string;
  readonly mapping: SheetColumns;
  readonly base: Baseline;
  /** Open conflicts of the sheet's records, from earlier runs, by the record's key. */
  readonly conflicts: ReadonlyMap<string, Memory['conflict']>;
  readonly rules: PlanRules;
  readonly held: HeldRules;
  readonly lists: LookupLists;
}

/** A planned row that a later one made invalid. */
export interface RevisedRow {
  readonly was: PlannedRow;
  readonly now: PlannedRow;
}

/** Plans the rows of one sheet as they come; what it returns is saved in the ledger before the next call. */
export interface RowPlanner {
  /** May keep rows back while it is not clear yet how to look them up. */
  add(rows: readonly MappedRow[]): Promise<UnplacedRow[]>;
  finish(): Promise<UnplacedRow[]>;
}

/** Plans the sheets of one resource and remembers, from sheet to sheet, what was read for it. */
export interface ResourcePlanning {
  openSheet(setup: PlannerSetup): RowPlanner;
  /** To be called when the rows of all sheets are in the ledger; answers those that become another. */
  settle?(): Promise<readonly RevisedRow[]>;
  /** Absent where nothing is read to plan by. */
  summary?(): SourceSummary;
  /** What stands on the service twice, as the first try of a create came late. */
  doubles?(): Promise<Bilingual[]>;
}

/** So many rows are looked up together. */
const WINDOW = 500;

/** How the rows of a sheet are gathered before they are planned. */
interface RowWindows {
  /** The most rows of a window; by default those that are looked up together. */
  readonly window?: number;
  /** Whether rows can be planned: `came` just came, so many wait, `last`: no more come. By default always. */
  readonly ready?:
    | ((came: readonly MappedRow[], waiting: number, last: boolean) => Promise<boolean>)
    | undefined;
}

/** Plans a sheet's rows in windows as they come; those of a window that is not full wait. */
export function planInWindows(
  { window = WINDOW, ready }: RowWindows,
  plan: (rows: readonly MappedRow[]) => Promise<readonly UnplacedRow[]>,
): RowPlanner {
  let waiting: MappedRow[] = [];
  const planFirst = async (count: number): Promise<UnplacedRow[]> => {
    const rows = waiting.slice(0, count);
    waiting = waiting.slice(count);
    const planned: UnplacedRow[] = [];
    for (let start = 0; start < rows.length; start += window)
      for (const row of await plan(rows.slice(start, start + window))) planned.push(row);
    return planned;
  };
  return {
    async add(rows) {
      for (const row of rows) waiting.push(row);
      const isReady = ready === undefined || (await ready(rows, waiting.length, false));
      // Whole windows only: what is looked up and saved for one row takes as long as for all of them.
      const whole = waiting.length - (waiting.length % window);
      return isReady && whole > 0 ? await planFirst(whole) : [];
    },
    async finish() {
      await ready?.([], waiting.length, true);
      return await planFirst(waiting.length);
    },
  };
}

/** What was found of the record that a row names. */
export interface FoundRecord {
  /** As the service holds it; null when there is none. */
  readonly existing: ExistingRecord | null;
  /** Ids of records that are there and that the row names by other keys. */
  readonly ids?: Values;
}

export interface RowRecord {
  readonly found: FoundRecord;
  /** The key under which rows on one record are kept in order; null when no other row can be about it. */
  readonly key: string | null;
  readonly existing: ExistingRecord | null;
}

/** How the rows of a kind are held against records: what `planRecords` works by. */
export interface RecordMatching extends Pick<RowWindows, 'ready'> {
  /** Looks up what the rows of a window name, in as few requests as it takes. */
  find(rows: readonly MappedRow[]): Promise<{
    readonly found: readonly FoundRecord[];
    /** Holds rows that would create against what earlier runs sent, so that they do so once. */
    createOnce(creations: readonly { planned: UnplacedRow; row: MappedRow }[]): Promise<UnplacedRow[]>;
    /** The key in the ledger of the record of a row, by its place; null where it was not looked up. */
    keyOf(at: number): string | null;
    /** Reads what a row names by itself. `sent`: what was written last, for fields that this read does not tell. */
    again(at: number, sent: Values): Promise<FoundRecord>;
  }>;
  key(row: MappedRow, found: FoundRecord): string | null;
  /** Whether a field of a record is as a row says; by default `sameIn`. */
  same?(existing: ExistingRecord | null): SameField;
  /** The row completed by its record. */
  asMeant?(row: MappedRow, existing: ExistingRecord | null): MappedRow;
  /** Decides a row by the row, its record and the rules alone. */
  decide(row: MappedRow, record: RowRecord): UnplacedRow;
}

/** Whether a row's record is looked up: with a baseline also that of cells that can't be read. */
export const needsRecord = ({ action, issues }: MappedRow, { at }: Baseline): boolean =>
  action !== 'skip' && (at !== '' || !stopsRow(issues));

/** The record a row is about, as far as it is known. */
type RowSubject = Pick<UnplacedRow, 'key' | 'id' | 'external' | 'lmt' | 'said'>;

/** What would happen to a row, what that takes, and to which record where the row alone does not tell. */
export type RowDecision = Partial<
  Omit<RowSubject, 'external'> &
    Pick<UnplacedRow, 'changes' | 'steps' | 'needs' | 'message' | 'posted' | 'fact'>
> & {
  readonly action: PlannedRow['action'];
};

/** The row says itself why. */
export const INVALID: RowDecision = { action: 'invalid' };

/** A planned row that sends nothing after all, and why. */
export const unsentRow = <R extends UnplacedRow>(
  planned: R,
  action: PlannedRow['action'],
  message: Bilingual | null,
  issues = planned.issues,
): R => ({ ...planned, action, changes: [], steps: [], needs: [], message, issues });

/** A planned row that is invalid for what a later row says: it tells nothing either. */
export const refusedRow = <R extends UnplacedRow>(was: R, issues: readonly Issue[]): R => ({
  ...unsentRow(was, 'invalid', null, [...was.issues, ...issues]),
  posted: undefined,
});

/** The user said so. */
export const SKIPPED: RowDecision = {
  action: 'skip',
  message: t('marked skip', 'gemarkeerd met skip'),
};

/** What a delete comes to when there is nothing left to delete. */
export const ALREADY_GONE: RowDecision = {
  action: 'unchanged',
  message: t('already gone', 'al verwijderd'),
};

/** Shared by all rows that have none: a list of their own would be a million of them. */
const NONE: readonly never[] = [];

/** A row and its decision as a planned row; `subject`: the record, where the decision does not tell. */
export function placeDecision(
  mapped: MappedRow,
  { key, id, lmt, said, changes, steps, needs, message, action, ...more }: RowDecision,
  subject: Partial<RowSubject> = {},
): UnplacedRow {
  const { row, issues, mapping } = mapped;
  const { resource, sheet } = mapping;
  const planned = {
    // Its place and its names are put there later: a member that comes after costs an object more, a row.
    seq: -1,
    names: NONE,
    sheet,
    row,
    resource: resource.name,
    key: key ?? subject.key ?? null,
    id: id ?? subject.id ?? null,
    external: subject.external ?? null,
    lmt: lmt ?? subject.lmt ?? null,
    action,
    changes: changes ?? NONE,
    said: said ?? subject.said ?? '',
    steps: steps ?? NONE,
    needs: needs ?? NONE,
    message: mapped.message ?? message ?? null,
    issues,
    ...more,
  };
  const own = aboutRow(mapped);
  return own === undefined ? planned : Object.assign(planned, { about: own });
}

/** Puts an issue on a field of the row, which stops it; what is found there is the field's own value. */
export function refuseField(
  row: MappedRow,
  field: string,
  code: IssueCode,
  hint: string | Bilingual,
): RowDecision {
  const place = isNamedByEvidence(row, field) ? '#id' : field;
  row.issues.push(issueOn(row, place, { code, found: String(row.values[field] ?? ''), hint }));
  return INVALID;
}

/** Refuses a row that names no record and could be new: nothing of it is made unasked. */
export const refuseUnnamed = (row: MappedRow, key: string): RowDecision =>
  refuseField(row, key, 'key-not-given', '');

/** Whether the value of a field stands in `#id`. */
const isNamedByEvidence = ({ evidence, mapping }: MappedRow, field: string): boolean =>
  evidence?.names === true && mapping.resource.keys[0] === field;

/** Refuses a delete that is `impossible`, or that the user does not allow; null for any other. */
export function refuseDelete(
  row: MappedRow,
  { allowDelete }: Pick<PlanRules, 'allowDelete'>,
  impossible: Bilingual | null,
): RowDecision | null {
  if (impossible !== null) return refuseAction(row, 'action-not-possible', impossible);
  return allowDelete ? null : refuseAction(row, 'delete-not-allowed');
}

/** Puts an issue on the row's `#action`, which stops it. */
export function refuseAction(row: MappedRow, code: IssueCode, hint: string | Bilingual = ''): RowDecision {
  row.issues.push(issueOn(row, '#action', { code, found: row.action, hint }));
  return INVALID;
}

/** The character of the first field: a million rows are not to hold lists of names. */
const FIRST = 0x30;

/** The fields of which a row says something, also what changes nothing, as `PlannedRow.said` holds them. */
export function saidBy({ values, mapping: { resource } }: MappedRow): string {
  let said = '';
  let at = FIRST;
  for (const field in resource.fields) {
    if (values[field] !== undefined) said += String.fromCharCode(at);
    at++;
  }
  return said;
}

/** The names of those fields. */
export function saidFields({ fields }: Resource, said = ''): string[] {
  const names = Object.keys(fields);
  return said.split('').flatMap((mark) => names[mark.charCodeAt(0) - FIRST] ?? []);
}

/** What a row itself says that it is about, whatever is wrong with the rest of it. */
function aboutRow({ mapping, values, reference, told = [] }: MappedRow): RowAbout | undefined {
  const { resource } = mapping;
  const label = textOf(resource.label === undefined ? nameBeside(resource, told) : values[resource.label]);
  let key: Record<string, Value> | undefined;
  for (const field of resource.keys) if (values[field] != null) key = { ...key, [field]: values[field] };
  if (reference !== null) key = { ...key, '#key': reference };
  if (key === undefined) return label === undefined ? undefined : { label };
  return label === undefined ? { key } : { key, label };
}

/** An export has the name in a column that is only shown, people in one of their own. */
function nameBeside(resource: Resource, told: NonNullable<MappedRow['told']>): Value | undefined {
  const names = resource.labelled?.[1].label ?? [];
  return told.find(({ header }) => names.includes(header) || isNameHeader(resource, header))?.cell.value;
}

/** Puts the name of its record beside a row; the row's own words come first. */
export function withRecordName(
  planned: UnplacedRow,
  { label: name }: Resource,
  existing: ExistingRecord | null,
): UnplacedRow {
  const label = planned.about?.label ?? textOf(name === undefined ? null : existing?.values[name]);
  return label === undefined ? planned : { ...planned, about: { ...planned.about, label } };
}

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
