import { issueAt } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { addressOf } from '../../records/mapped-row.ts';
import type { UnplacedRow } from '../../records/planning.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { Lookup, LookupEntry } from '../../schema/field.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { listedText } from '../map/sheet-notes.ts';

/**
 * Warns of ids that rows would send and that their list lacks, and puts names beside the ids that rows send or
 * change. Only a warning, also under `--strict`: whether a list is complete is not shown (interface 2.9). A
 * list is read only when an id is to be sent, and nothing is asked for the sake of a name.
 */
export function createLookupIds(
  lists: LookupLists,
  mapping: SheetMapping,
): (rows: readonly UnplacedRow[]) => Promise<void> {
  const fields = Object.entries(mapping.resource.fields).flatMap(([field, { lookup, updateLookup }]) => {
    const isSaid = mapping.columnOf.has(field) || mapping.set.some((one) => one.field === field);
    return lookup === undefined ? [] : [{ field, create: lookup, update: updateLookup ?? lookup, isSaid }];
  });
  return async (rows) => {
    for (const row of fields.length === 0 ? [] : rows) {
      const names = [...(row.names ?? [])];
      for (const { field, create, update, isSaid } of fields) {
        const [own, other] = row.action === 'update' ? [update, create] : [create, update];
        const id = isSaid ? idSent(row, field) : null;
        const entries = id === null ? undefined : await wholeList(lists, own);
        if (id !== null && entries?.has(id) === false) {
          const finding = { code: 'lookup-id-unknown', found: String(id), hint: hintOf(entries) } as const;
          const place = { field, address: addressOf(mapping, field, row.row) };
          // In place, as the row is the planner's own and not saved yet.
          Object.assign(row, { issues: [...row.issues, issueAt(finding, place)] });
        }
        for (const shown of idsShown(row, field)) {
          if (typeof shown !== 'number') continue;
          const name = lists.known(own)?.get(shown) ?? lists.known(other)?.get(shown);
          if (name !== undefined) names.push([field, shown, name]);
        }
      }
      if (names.length > 0) Object.assign(row, { names });
    }
  };
}

/** The id that a row would send for a field; null where it sends none, or the one that the record has. */
function idSent({ action, steps, changes }: UnplacedRow, field: string): number | null {
  const [step] = steps;
  if (step === undefined) return null;
  const id = action === 'update' ? changes.find((change) => change.field === field)?.to : step.body[field];
  return typeof id === 'number' ? id : null;
}

/** The values that are shown of a row's field: what it changes, else what a create sends. */
function idsShown({ action, changes, steps, apart }: UnplacedRow, field: string): readonly unknown[] {
  const both = apart?.find((one) => one.field === field);
  if (both !== undefined) return [both.was, both.now, both.mine];
  const change = changes.find((one) => one.field === field);
  if (change !== undefined) return [change.from, change.to];
  return action === 'create' ? [steps[0]?.body[field]] : NOTHING;
}

const NOTHING: readonly never[] = [];

type Entries = ReadonlyMap<number, LookupEntry>;

/** The entries of a list; undefined where it can't be read, or may lack some. */
const wholeList = (lists: LookupLists, lookup: Lookup): Promise<Entries | undefined> =>
  lists.once(`entries of ${lookup.name}`, async () => {
    const list = await lists.read(lookup);
    return 'entries' in list && list.whole
      ? new Map(list.entries.map((entry) => [entry.id, entry]))
      : undefined;
  });

/** Entries of a list that are named. */
const SHOWN = 3;

function hintOf(entries: Entries): Bilingual {
  const first = [...entries.values()].slice(0, SHOWN).map(({ id, label }) => `${id} ${label}`);
  const { en, nl } = listedText(first, entries.size);
  return t(`the list has ${en}`, `in de lijst staan ${nl}`);
}
