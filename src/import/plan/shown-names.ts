import { cellText } from '../../core/codec.ts';
import type { Language } from '../../core/language.ts';
import { LOOK_UP_HEADERS, OWN_SHEETS } from '../../core/own-sheets.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import { textsOf } from '../../files/baseline-sheet.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { Baseline, UnplacedRow } from '../../records/planning.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { Lookup } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { namedHeaders } from '../map/listed-columns.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';

type Name = NonNullable<PlannedRow['names']>[number];
/** Each name once in memory, however many rows show it; an update may take ids of another list. */
type Told = Readonly<Record<'create' | 'update', Map<number, Name>>>;

/**
 * Puts the names of lookup ids that rows send or change beside them. They are told by lists that planning has
 * read: nothing is asked for the sake of a name.
 */
export function createShownNames(
  lists: LookupLists,
  { fields }: Resource,
): (rows: readonly UnplacedRow[]) => void {
  const named = Object.entries(fields).flatMap(([field, { lookup, updateLookup }]) => {
    const own = [lookup, updateLookup].filter((one) => one !== undefined);
    return own.length === 0 ? [] : [{ field, own, told: { create: new Map(), update: new Map() } as Told }];
  });
  return (rows) => {
    for (const row of rows) {
      const names = [...(row.names ?? [])];
      for (const one of named)
        for (const id of idsShown(row, one.field)) {
          const name = typeof id === 'number' ? nameOf(id, one, row) : undefined;
          if (name !== undefined) names.push(name);
        }
      // In place, as the row is the planner's own and not saved yet.
      if (names.length > 0) Object.assign(row, { names });
    }
  };

  function nameOf(
    id: number,
    { field, own, told }: (typeof named)[number],
    { action }: UnplacedRow,
  ): Name | undefined {
    const isUpdate = action === 'update';
    const known = told[isUpdate ? 'update' : 'create'].get(id);
    if (known !== undefined) return known;
    const name = inLists(isUpdate ? own.toReversed() : own, id);
    if (name === undefined) return undefined;
    const made: Name = [field, id, name];
    told[isUpdate ? 'update' : 'create'].set(id, made);
    return made;
  }

  function inLists(own: readonly Lookup[], id: number): string | undefined {
    for (const lookup of own) {
      const name = lists.known(lookup)?.get(id);
      if (name !== undefined) return name;
    }
    return undefined;
  }
}

/** The values that are shown of a row's field, ids among them: what it changes, else what a create sends. */
function idsShown({ action, changes, steps, apart }: UnplacedRow, field: string): readonly unknown[] {
  const both = apart?.find((one) => one.field === field);
  if (both !== undefined) return [both.was, both.now, both.mine];
  const change = changes.find((one) => one.field === field);
  if (change !== undefined) return [change.from, change.to];
  return action === 'create' ? [steps[0]?.body[field]] : [];
}

/** What a workbook's own sheet to look up numbers calls a record; undefined where it does not say. */
export type LookUpNames = (called: Readonly<Record<Language, string>>, id: number) => string | undefined;

/** Reads what ids name from the sheet of an export or template that tells it. */
export async function readLookUpNames({ sheets }: Pick<Workbook, 'sheets'>): Promise<LookUpNames> {
  const known = new Map<string, string>();
  for (const language of ['nl', 'en'] as const) {
    const headers = LOOK_UP_HEADERS[language];
    for (const { name, rows } of sheets) {
      if (name.replace(/ \(\d+\)$/, '') !== OWN_SHEETS.lookUp[language]) continue;
      let places: readonly number[] | undefined;
      for await (const row of rows) {
        const texts = textsOf(row);
        if (places === undefined) {
          places = headers.slice(0, 3).map((header) => texts.indexOf(header));
          if (places.includes(-1)) break;
          continue;
        }
        const [kind = '', id = '', called = ''] = places.map((at) => texts[at] ?? '');
        if (called !== '') known.set(`${kind} ${id}`, called);
      }
    }
  }
  return ({ en, nl }, id) => known.get(`${nl} ${id}`) ?? known.get(`${en} ${id}`);
}

/** Puts the names that belong beside changed ids with the rows; see `PlannedRow.told`. */
interface ToldNames {
  read(rows: readonly MappedRow[]): void;
  planned(rows: readonly UnplacedRow[]): void;
}

/**
 * Tells which names in a sheet's columns no longer belong beside the ids of their rows, and which do. A name
 * that is not known is null: a cell without a name is better than one with another record's. Null for a
 * sheet without such columns.
 */
export function createToldNames(
  mapping: SheetMapping,
  base: Pick<Baseline, 'find' | 'at'>,
  lookUp: LookUpNames,
): ToldNames | null {
  const { resource, told, columnOf } = mapping;
  const headers = new Set([...told.values()].map(({ header }) => header));
  const named = namedHeaders(resource).filter(({ header, id }) => headers.has(header) && columnOf.has(id));
  if (named.length === 0) return null;
  /** What rows that stand as they were say, by header and id. */
  const seen = new Map<string, string>();
  let waiting: MappedRow[] = [];
  const textIn = (row: MappedRow, header: string): string => {
    const cell = row.told?.find((one) => one.header === header)?.cell;
    return cell === undefined ? '' : cellText(cell);
  };
  const nameOf = (id: Value, { header, id: field, called }: (typeof named)[number], planned: UnplacedRow) => {
    if (typeof id !== 'number') return null;
    const sent = planned.names?.find(([of, number]) => of === field && number === id)?.[2];
    return (called && lookUp(called, id)) ?? (called && sent) ?? seen.get(`${header} ${id}`) ?? null;
  };
  const place = (row: MappedRow, planned: UnplacedRow): void => {
    const found = named.flatMap((one): NonNullable<PlannedRow['told']>[number][] => {
      const id = row.values[one.id];
      const text = textIn(row, one.header);
      if (id === undefined && planned.action !== 'create') return [];
      if (id !== undefined && !isChanged(one.id, row, planned, base)) {
        if (text !== '') seen.set(`${one.header} ${id}`, text);
        return [];
      }
      const name = nameOf(id ?? null, one, planned);
      return (name ?? '') === text ? [] : [[one.header, name]];
    });
    // In place, as the row is the planner's own and not saved yet.
    if (found.length > 0) Object.assign(planned, { told: found });
  };
  return {
    read: (rows) => void waiting.push(...rows),
    planned(rows) {
      for (const [at, planned] of rows.entries()) {
        const row = waiting[at];
        if (row !== undefined) place(row, planned);
      }
      waiting = waiting.slice(rows.length);
    },
  };
}

/** Whether a row holds another id than its record had when its name was written beside it. */
function isChanged(
  field: string,
  { values, mapping: { resource } }: MappedRow,
  { action, key, changes }: UnplacedRow,
  base: Pick<Baseline, 'find' | 'at'>,
): boolean {
  if (changes.some((change) => change.field === field)) return true;
  const own = 'id' in resource ? values[resource.id] : undefined;
  const known = key ?? (typeof own === 'number' ? `id:${own}` : null);
  const was = known === null ? undefined : base.find(resource.name, known);
  // A row that the workbook was not written with is a copy of another.
  if (was === undefined) return action === 'create' || (base.at !== '' && known !== null);
  return (was.values[field] ?? null) !== values[field];
}
