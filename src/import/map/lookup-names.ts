import { type Finding, type Issue, issueAt, shorten } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { Baseline } from '../../records/planning.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import { createNameFinder, type NameFinder } from '../../run/lookup-lists.ts';
import type { Lookup, LookupEntry } from '../../schema/field.ts';
import { isBlank, isClear, isName, noValue } from './cell-sense.ts';

type Names =
  | { readonly entries: readonly LookupEntry[]; readonly find: NameFinder }
  | { readonly unreadable: Bilingual };

/**
 * Resolves the names in a row's lookup columns to ids: at once, or where an update takes ids of another list,
 * in both. A name that the workbook was written with and that stands for something else by now, or nothing,
 * is what it was in a cell that nobody changed, and wrong in any other. Throws RequestError where a list
 * can't be read for now.
 */
export function createNameResolver(
  lists: LookupLists,
  written: Pick<Baseline, 'find' | 'named'>,
): (row: MappedRow) => Promise<void> {
  const loaded = new Map<string, Names>();
  const load = async (lookup: Lookup): Promise<Names> => {
    const names = loaded.get(lookup.name) ?? namesOf(await lists.read(lookup));
    loaded.set(lookup.name, names);
    return names;
  };
  return async (row) => {
    for (const pending of row.names) {
      const { field, updateLookup } = pending;
      const created = await load(pending.lookup);
      const names = updateLookup === undefined ? created : await load(updateLookup);
      const found = [created, names].map((list) => idOf(pending, list));
      const was = written.named(row.mapping.resource.name, field, pending.name);
      const isOther = was.length > 0 && !was.some((id) => found.includes(id));
      const held = isOther ? recordOf(row, written)?.values[field] : undefined;
      if (typeof held === 'number' && was.includes(held)) {
        row.values[field] = held;
        continue;
      }
      const [create, update] = (isOther ? found.map((id) => moved(pending, id, was)) : found) as [
        number | Issue,
        number | Issue,
      ];
      if (typeof create === 'number') row.values[field] = create;
      else if (updateLookup === undefined) row.issues.push(create);
      if (updateLookup !== undefined) {
        const updated = new Set('entries' in names ? names.entries.map(({ id }) => id) : []);
        row.namedIds = { ...row.namedIds, [field]: { create, update, updated } };
      }
    }
  };
}

/** What a row's record was when the workbook was written, by the keys that the row names. */
function recordOf(
  { mapping: { resource }, values, action }: MappedRow,
  { find }: Pick<Baseline, 'find'>,
): BaselineRecord | undefined {
  if (action === 'create') return undefined;
  const id = 'id' in resource ? values[resource.id] : undefined;
  const external = 'external' in resource ? values[resource.external] : undefined;
  if (typeof id === 'number') return find(resource.name, `id:${id}`);
  return typeof external === 'number' ? find(resource.name, `external:${external}`) : undefined;
}

/** What is wrong with a name that stood for another id when the workbook was written. */
function moved(
  { field, name, address }: MappedRow['names'][number],
  found: number | Issue,
  [old]: readonly number[],
): Issue {
  if (typeof found !== 'number') return found;
  const hint = t(
    `${old}, as it was when the file was written, or ${found}, as it is now`,
    `${old}, wat het was toen het bestand geschreven werd, of ${found}, wat het nu is`,
  );
  return issueAt({ code: 'lookup-ambiguous', found: name, hint }, { field, address });
}

function namesOf(list: Awaited<ReturnType<LookupLists['read']>>): Names {
  if ('failure' in list) throw list.failure;
  return 'entries' in list ? { entries: list.entries, find: createNameFinder(list.entries) } : list;
}

/** The id that a name stands for in a list, or what is wrong with it. */
function idOf({ field, name, address }: MappedRow['names'][number], names: Names): number | Issue {
  const same = 'find' in names ? names.find(name) : [];
  const [first, second] = same;
  if (first !== undefined && second === undefined) return first.id;
  const finding: Finding =
    'unreadable' in names
      ? { code: 'lookup-unreadable', found: name, hint: names.unreadable }
      : first === undefined
        ? { code: 'lookup-unknown', found: name, hint: nearText(name, names.entries) }
        : {
            code: 'lookup-ambiguous',
            found: name,
            hint: same.map(({ id, label }) => `${shorten(label)} (${id})`).join(', '),
          };
  return issueAt(finding, { field, address });
}

/** Most names that are all listed; of more only those that look like the one found. */
const FEW = 10;

function nearText(name: string, entries: readonly LookupEntry[]): Bilingual {
  if (entries.length > 0 && entries.length <= FEW) {
    const texts = choicesOf(entries).map(({ text }) => shorten(text));
    const all = texts.join(', ');
    return t(`the names are: ${all}`, `de namen zijn: ${all}`);
  }
  const near = nearest(name, new Set(entries.map((entry) => entry.label))).join(', ');
  if (near !== '') return t(`nearest names: ${near}`, `namen die erop lijken: ${near}`);
  return t(
    `the service knows ${entries.length} names here, none that looks like it`,
    `het systeem kent hier ${entries.length} namen, geen die erop lijkt`,
  );
}

const numberedName = ({ id, label }: LookupEntry): string => `${label} (${id})`;

/** One entry of a lookup as the text that people choose. */
export interface Choice {
  readonly id: number;
  readonly text: string;
}

/**
 * The choices of a lookup, each text once, which the import reads as the entry they were made from: its name,
 * with the id behind it where the name is not enough, else the id.
 */
export function choicesOf(entries: readonly LookupEntry[]): Choice[] {
  const find = createNameFinder(entries);
  const means = (text: string, entry: LookupEntry): boolean => {
    const [first, second] = find(text);
    return first?.id === entry.id && second === undefined;
  };
  const choices = entries.map((entry): Choice => {
    const names = [entry.label.trim(), numberedName(entry)];
    const text = names.find((name) => readsAsName(name) && means(name, entry)) ?? String(entry.id);
    return { id: entry.id, text };
  });
  return [...new Map(choices.map((choice) => [choice.text, choice])).values()];
}

function readsAsName(text: string): boolean {
  const cell = { column: 0, type: 'text', value: text } as const;
  return !isBlank(cell) && noValue(cell) === undefined && !isClear(text) && isName(cell);
}
