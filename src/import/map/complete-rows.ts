import { type Issue, issueAt, shorten } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { shareWord } from '../../core/nearest.ts';
import { addressOf } from '../../records/mapped-row.ts';
import { type PlannerSetup, refusedRow, type UnplacedRow } from '../../records/planning.ts';
import { sendUpdateIds, twoListFields } from '../../records/two-lists.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { NamedId } from '../../run/named-records.ts';
import type { Field, Lookup, LookupEntry } from '../../schema/field.ts';
import type { SheetMapping } from './sheet-mapping.ts';
import { listedText } from './sheet-notes.ts';

/**
 * Completes planned rows by what their ids name: ids of updates, warnings of ids that their list lacks, and
 * names beside the ids that rows send or change. A list is read only when an id is to be sent.
 */
export function createCompletion({ context: { named }, lists, mapping }: CompletionSetup) {
  const { resource } = mapping;
  const two = twoListFields(resource);
  const [about, ofAbout] = resource.labelled ?? [];
  const fields = Object.entries(resource.fields).filter(([, { lookup, record }]) => lookup ?? record);
  const entriesOf = new Map<string, Entries | undefined>();
  const listOf = ({ lookup, updateLookup = lookup }: Field, { action }: UnplacedRow) =>
    action === 'update' ? updateLookup : lookup;
  /** Names what a row is about; a row of stock that says another name than its product's is a conflict. */
  const nameAbout = (row: UnplacedRow, id: number): void => {
    const name = ofAbout === undefined ? null : named.known(ofAbout, id).name;
    const said = row.about?.label ?? name;
    if (said === null) return;
    const isPosted = resource.label === undefined && (row.steps.length > 0 || row.posted !== undefined);
    if (name !== null && isPosted && !shareWord(said, name))
      Object.assign(row, otherName(`${about} ${id}`, said, shorten(name)));
    Object.assign(row, { about: { ...row.about, label: said } });
  };
  return async (rows: readonly UnplacedRow[]): Promise<void> => {
    if (fields.length === 0 && ofAbout === undefined) return;
    await sendUpdateIds(lists, two, rows);
    const [asked, sure]: [NamedId[], NamedId[]] = [[], []];
    for (const row of rows) {
      const is = aboutOf(row, about);
      if (is !== null && ofAbout !== undefined) asked.push([ofAbout, is]);
      for (const [name, field] of fields) {
        const list = listOf(field, row);
        const sent = list === undefined ? undefined : idSent(row, name);
        if (list !== undefined && sent !== undefined) {
          // Most lists were read before: each wait costs as much as planning a row.
          if (!entriesOf.has(list.name)) entriesOf.set(list.name, await wholeList(lists, list));
          warnUnlisted(entriesOf.get(list.name), mapping, row, name, sent);
        }
        if (field.record === undefined) continue;
        for (const id of idsShown(row, name)) (field.record.isSure ? sure : asked).push([field.record, id]);
      }
    }
    await named.askAll(sure);
    await named.askNames(asked);
    for (const row of rows) {
      const is = aboutOf(row, about);
      if (is !== null) nameAbout(row, is);
      const names: NonNullable<Named['names']> = [];
      for (const [field, one] of fields) {
        const list = listOf(one, row);
        for (const id of idsShown(row, field)) {
          const name = one.record ? named.known(one.record, id).name : list && lists.known(list)?.get(id);
          if (name != null) names.push([field, id, shorten(name)]);
        }
      }
      // In place, as the row is the planner's own and not saved yet.
      if (names.length > 0) (row as Named).names = names;
      for (const [field, { record }] of fields) {
        const sent = record && idSent(row, field);
        if (!record || !isId(sent) || !named.lacks(record, sent)) continue;
        const finding = { code: 'id-without-record', found: String(sent), hint: record.called } as const;
        const place = { field, address: addressOf(mapping, field, row.row) };
        Object.assign(row, refusedRow(row, [issueAt(finding, place)]));
      }
    }
  };
}

type Named = UnplacedRow & { names?: (readonly [string, number, string])[] };

interface CompletionSetup extends Pick<PlannerSetup, 'context' | 'lists'> {
  readonly mapping: SheetMapping;
}

/** An id; 0 stands for none. */
const isId = (value: unknown): value is number => typeof value === 'number' && value !== 0;

/** The id of what a row is about, where that is told of it. */
function aboutOf({ action, steps, about }: UnplacedRow, field: string | undefined): number | null {
  if (field === undefined || action === 'unchanged' || action === 'skip') return null;
  const id = steps[0]?.body[field] ?? about?.key?.[field];
  return isId(id) ? id : null;
}

/** The ids that are shown of a row's field: what it changes, else what a create sends. Rows are many: no closures. */
function idsShown({ action, changes, steps, apart }: UnplacedRow, field: string): readonly number[] {
  const both = apart?.find((one) => one.field === field);
  if (both !== undefined) return [both.was, both.now, both.mine].filter(isId);
  for (const change of changes) if (change.field === field) return [change.from, change.to].filter(isId);
  if (action !== 'create') return NO_IDS;
  for (const { body } of steps) {
    const id = body[field];
    if (id !== undefined) return isId(id) ? [id] : NO_IDS;
  }
  return NO_IDS;
}

const NO_IDS: readonly number[] = [];

/** The id that a row would send in a field. */
function idSent({ action, steps, changes }: UnplacedRow, field: string): number | undefined {
  if (steps.length === 0) return undefined;
  const sent =
    action === 'update'
      ? changes.find((one) => one.field === field)?.to
      : steps.find(({ body }) => field in body)?.body[field];
  return typeof sent === 'number' ? sent : undefined;
}

/** Warns of an id that a row would send and that its list lacks, also under `--strict`: a list may not show all. */
function warnUnlisted(
  entries: Entries | undefined,
  mapping: SheetMapping,
  row: UnplacedRow,
  field: string,
  sent: number,
): void {
  if (entries === undefined || entries.has(sent)) return;
  const first = [...entries.values()].slice(0, SHOWN).map(({ id, label }) => `${id} ${label}`);
  const { en, nl } = listedText(first, entries.size);
  const hint = t(`the list has ${en}`, `in de lijst staan ${nl}`);
  const place = { field, address: addressOf(mapping, field, row.row) };
  const issue: Issue = issueAt({ code: 'lookup-id-unknown', found: String(sent), hint }, place);
  Object.assign(row, { issues: [...row.issues, issue] });
}

/** Entries of a list that are named. */
const SHOWN = 3;

type Entries = ReadonlyMap<number, LookupEntry>;

/** The entries of a list; undefined where it can't be read, or may lack some. */
const wholeList = (lists: LookupLists, lookup: Lookup): Promise<Entries | undefined> =>
  lists.once(`entries of ${lookup.name}`, async () => {
    const list = await lists.read(lookup);
    return 'entries' in list && list.whole
      ? new Map(list.entries.map((entry) => [entry.id, entry]))
      : undefined;
  });

function otherName(key: string, said: string, name: string) {
  const message = t(
    `the row says "${shorten(said)}", and ${key} is "${name}": correct one of the two, or empty the name`,
    `in de rij staat "${shorten(said)}", en ${key} is "${name}": verbeter een van de twee, of maak de naam leeg`,
  );
  return { action: 'conflict', changes: [], steps: [], needs: [], posted: undefined, message } as const;
}
