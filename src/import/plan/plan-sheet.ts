import { type Finding, issueAt } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { idRecords } from '../../records/id-records.ts';
import { addressOf, type MappedRow } from '../../records/mapped-row.ts';
import { readOpenConflicts } from '../../records/open-conflicts.ts';
import type { PlannerSetup, ResourcePlanning, UnplacedRow } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { Lookup, LookupEntry } from '../../schema/field.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { columnHabits } from '../map/column-habits.ts';
import type { MapOptions } from '../map/map-row.ts';
import type { NoRecord } from '../map/not-records.ts';
import { type PassedOver, type ReadBatch, readRows, type SheetReading } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { listedText } from '../map/sheet-notes.ts';
import { createUpdateIds } from './update-ids.ts';

interface SheetToPlan extends Omit<PlannerSetup, 'conflicts'> {
  readonly sheet: Sheet;
  readonly mapping: SheetMapping;
  readonly options: MapOptions;
  readonly reading: SheetReading;
  readonly planning: ResourcePlanning;
  readonly resolveNames: (row: MappedRow) => Promise<void>;
  /** The next free `seq` in the plan. */
  readonly nextSeq: () => number;
  readonly onPlanned: (row: PlannedRow) => void;
}

/** Plans a sheet's rows as they are read, and saves them. */
export async function planSheet(work: SheetToPlan): Promise<void> {
  const { context, mapping, sheet } = work;
  const { ledger, signal } = context;
  const conflicts = await readOpenConflicts(context, mapping.resource.name);
  const planner = work.planning.openSheet({ ...work, conflicts });
  const others = createPassedOver(mapping);
  const updateIds = createUpdateIds(work.lists, mapping.resource);
  const checkIds = createIdCheck(work.lists, mapping);
  const named = idRecords(context);
  const habits = await columnHabits(sheet, mapping, work.options.locale, signal);
  let saving = Promise.resolve();
  // Resolves when the rows before these are saved, so that these are packed while the next are read.
  const save = async (rows: readonly UnplacedRow[]): Promise<void> => {
    if (rows.length === 0) return;
    await saving;
    saving = ledger.savePlan(work.run, placeRows(work, rows));
    // A failure is thrown where it is awaited.
    saving.catch(() => {});
  };
  // Its own function, so that nothing holds the rows while the next ones are read.
  const plan = async ({ records, passedOver }: ReadBatch): Promise<void> => {
    others.add(passedOver);
    for (const row of records) if (row.names.length > 0) await work.resolveNames(row);
    const planned = await planner.add(records);
    await updateIds(planned);
    await checkIds(planned);
    await named.name(planned, mapping, work.rules.strict);
    await save(others.among(planned));
  };
  for await (const batch of readRows(sheet, mapping, { ...work.options, ...habits }, work.reading)) {
    signal?.throwIfAborted();
    await plan(batch);
  }
  const last = await planner.finish();
  await updateIds(last);
  await checkIds(last);
  await named.name(last, mapping, work.rules.strict);
  await save([...others.among(last), ...others.rest()]);
  await saving;
}

function placeRows(work: SheetToPlan, rows: readonly UnplacedRow[]): PlannedRow[] {
  // In place: the rows are the planner's own, and copying a million of them takes as long as planning them.
  const placed = rows as (UnplacedRow & { seq: number })[];
  for (const row of placed) {
    row.seq = work.nextSeq();
    if (row.issues.length > 0 || row.action === 'conflict') logProblem(work.context, work.run, row);
    work.onPlanned(row);
  }
  return placed;
}

/** Logs what was decided and where, never what stands in the cells. */
function logProblem({ log }: Context, run: string, { sheet, row, id, action, issues }: PlannedRow): void {
  const found = issues.map(({ code, address }) => `${address ?? '-'} ${code}`);
  log.debug({ run, sheet, row, id, issues: found }, action);
}

/**
 * Warns of ids that rows would send and that their lookup list lacks. Only a warning, also under `--strict`:
 * whether a list is complete is not shown (interface 2.9). A list is read only when an id is to be sent; one
 * that can't be read, or may lack entries, gives no warning.
 */
export function createIdCheck(
  lists: LookupLists,
  mapping: SheetMapping,
): (rows: readonly UnplacedRow[]) => Promise<void> {
  const { resource, columns, set } = mapping;
  const sent = new Set([...columns.values(), ...set.map(({ field }) => field)]);
  const checks = Object.entries(resource.fields).flatMap(([field, { lookup, updateLookup }]) => {
    const check = (one: Lookup, by: IdCheck['by']): IdCheck => ({ field, lookup: one, by, told: new Map() });
    if (lookup !== undefined && updateLookup !== undefined)
      return [check(lookup, 'create'), check(updateLookup, 'update')];
    return lookup === undefined || !sent.has(field) ? [] : [check(lookup, 'both')];
  });
  return async (rows) => {
    const sending = checks.filter((check) => rows.some((row) => sentId(row, check) !== null));
    await Promise.all(sending.map(async (check) => (check.entries ??= await wholeList(lists, check.lookup))));
    for (const check of sending) {
      const { field, told, entries } = check;
      if (entries === NONE) continue;
      for (const row of rows) {
        const id = sentId(row, check);
        if (id === null || entries?.has(id) !== false) continue;
        const place = { field, address: addressOf(mapping, field, row.row) };
        const issues = [...row.issues, issueAt(findingOf(id, entries, told), place)];
        // In place, as the row is the planner's own and not saved yet.
        Object.assign(row, { issues });
      }
    }
  };
}

interface IdCheck {
  readonly field: string;
  readonly lookup: Lookup;
  /** The rows whose ids come from the list. */
  readonly by: 'create' | 'update' | 'both';
  readonly told: Map<number, Finding>;
  entries?: Entries;
}

/**
 * The id that a row sends for a field; null where it sends none, or the one that the record has. An update
 * with a list of its own may lack that one too: a create may have given it.
 */
function sentId({ action, steps, changes }: UnplacedRow, { field, by }: IdCheck): number | null {
  const isUpdate = action === 'update';
  if (by !== 'both' && isUpdate !== (by === 'update')) return null;
  if (isUpdate && by === 'both' && !changes.some((change) => change.field === field)) return null;
  for (let at = 0; at < steps.length; at++) {
    const id = steps[at]?.body[field];
    if (typeof id === 'number') return id;
  }
  return null;
}

type Entries = ReadonlyMap<number, LookupEntry>;

/** Of a list that can't be read, or may lack entries. */
const NONE: Entries = new Map();

async function wholeList(lists: LookupLists, lookup: Lookup): Promise<Entries> {
  const list = await lists.read(lookup);
  return 'entries' in list && list.whole ? new Map(list.entries.map((entry) => [entry.id, entry])) : NONE;
}

/** Entries of a list that are named. */
const SHOWN = 3;

/** Unknown ids for which near ones are looked for; a column of other numbers has no end of them. */
const MOST_NEAR = 100;

/** The finding that a list lacks an id: names the ids like it, else the first of the list. */
function findingOf(id: number, entries: Entries, told: Map<number, Finding>): Finding {
  const known = told.get(id);
  if (known !== undefined) return known;
  const few = told.size < MOST_NEAR;
  const near = few ? nearest(String(id), [...entries.keys()].map(String), SHOWN) : [];
  const shown = near.length > 0 ? near.map(Number) : [...entries.keys()].slice(0, SHOWN);
  const names = shown.map((one) => `${one} ${entries.get(one)?.label}`);
  const list = listedText(names, entries.size);
  const hint = t(`the list has ${list.en}`, `in de lijst staan ${list.nl}`);
  const finding: Finding = { code: 'lookup-id-unknown', found: String(id), hint };
  if (few) told.set(id, finding);
  return finding;
}

/** Merges rows that are no records into the plan as skipped, in file order; a planner may keep rows back. */
function createPassedOver({ sheet, resource }: SheetMapping) {
  let waiting: PassedOver[] = [];
  let done = 0;
  const placed = ({ row, why }: PassedOver): UnplacedRow => ({
    sheet,
    row,
    resource: resource.name,
    action: 'skip',
    ...{ key: null, id: null, external: null, lmt: null },
    ...{ changes: [], steps: [], needs: [], issues: [] },
    message: WHY[why],
  });
  return {
    add: (rows: readonly PassedOver[]): void => void waiting.push(...rows),
    /** Planned rows, with those that stand before or between them in the file. */
    among(planned: readonly UnplacedRow[]): readonly UnplacedRow[] {
      const before = done;
      done += planned.length;
      if (waiting.length === 0) return planned;
      let next = 0;
      const merged = planned.flatMap((row, at) => {
        const from = next;
        while (next < waiting.length && (waiting[next] as PassedOver).after <= before + at) next++;
        return [...waiting.slice(from, next).map(placed), row];
      });
      waiting = waiting.slice(next);
      return merged;
    },
    rest: (): UnplacedRow[] => waiting.splice(0).map(placed),
  };
}

/** Whether a planned row is no record, by its message. */
export function isPassedOver({ action, message }: Pick<UnplacedRow, 'action' | 'message'>): boolean {
  return action === 'skip' && message !== null && SAID.has(message.en);
}

const WHY: Readonly<Record<NoRecord, Bilingual>> = {
  explanation: t(
    'explains the columns; no record (create or update in #action makes it one)',
    'legt de kolommen uit; geen record (create of update onder #action maakt het er een)',
  ),
  header: t('the headers once more; no record', 'nog eens de koppen; geen record'),
  total: t('a total; no record', 'een totaal; geen record'),
  sums: t('the sums of the rows above it; no record', 'de sommen van de rijen erboven; geen record'),
  remark: t('a text on its own; no record', 'een losse tekst; geen record'),
};

const SAID: ReadonlySet<string> = new Set(Object.values(WHY).map(({ en }) => en));
