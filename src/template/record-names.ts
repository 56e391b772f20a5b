import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { LIST_HEADERS, OWN_SHEETS } from '../core/own-sheets.ts';
import type { ExportedResource } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { MOST_NAMES, type NamedId } from '../run/named-records.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { NamedRecord } from '../schema/field.ts';
import { nameIn } from '../service/lookups.ts';
import type { WrittenColumn, WrittenRow, WrittenSheet } from '../xlsx/write/written-book.ts';

/** An id of a resource's records, with what it names. */
type IdColumn = NonNullable<ExportedResource['named']>[number] & { readonly path: readonly string[] };

/** What an id names. */
interface MetRecord {
  readonly called: Bilingual;
  readonly id: number;
  readonly name: string | null;
}

/**
 * The names of what listed records name by ids. What the record itself does not hold is asked for by its id,
 * each once, up to a limit; a name that can't be had is a note, never a failure.
 */
export function recordNames(context: Context, { named = [], fields }: ExportedResource) {
  const columns = named.map((one) => ({ ...one, path: (fields[one.id]?.listName ?? one.id).split('.') }));
  const known = new Map<string, MetRecord>();
  const asked = new Set<string>();
  const unasked = new Map<NamedRecord, Set<number>>();

  /** Records with names among their members, by the headers of their columns. */
  async function namesOf(records: readonly AnswerRecord[]): Promise<readonly AnswerRecord[]> {
    if (columns.length === 0) return records;
    await ask(records);
    return records.map((record) => withNames(record));
  }

  /** Of what names were not asked for, or could not be read, and why. */
  function notes(): Bilingual[] {
    const isAsked = (of: NamedRecord): boolean =>
      columns.some((one) => one.of === of && one.in === undefined);
    const failing = [...context.named.failing].filter(([of]) => isAsked(of));
    return [
      ...failing.map(([{ called }, { en, nl }]) =>
        t(`names of ${called.en} are not shown: ${en}`, `namen van ${called.nl} staan er niet bij: ${nl}`),
      ),
      ...[...unasked].map(([{ called }, { size }]) =>
        t(
          `names of ${size} ${called.en} are not shown: ${MOST_NAMES} are asked for at most; a shorter period shows them`,
          `namen van ${size} ${called.nl} staan er niet bij: hoogstens ${MOST_NAMES} worden opgevraagd; een kortere periode toont ze`,
        ),
      ),
    ];
  }

  function withNames(record: AnswerRecord): AnswerRecord {
    const shown: Record<string, unknown> = { ...record };
    for (const { header, of, path, in: within } of columns) {
      const told = within === undefined ? null : nameAt(memberAt(record, within), of, context);
      const nameOf = (id: number | null): string | null =>
        within === undefined && id !== null && 'each' in of ? context.named.known(of, id).name : told;
      if (header !== undefined) shown[header] = nameOf(idIn(memberAt(record, path)));
      for (const id of allAt(record, path).flatMap((value) => idIn(value) ?? [])) {
        const key = `${of.name} ${id}`;
        const name = known.get(key)?.name ?? nameOf(id);
        known.set(key, { called: of.called, id, name });
      }
    }
    return shown;
  }

  async function ask(records: readonly AnswerRecord[]): Promise<void> {
    const wanted: NamedId[] = [];
    for (const { of, path, in: within } of columns) {
      if (within !== undefined || !('each' in of)) continue;
      for (const record of records) {
        const id = idIn(memberAt(record, path));
        const key = `${of.name} ${id}`;
        if (id === null || asked.has(key)) continue;
        if (asked.size >= MOST_NAMES) unasked.set(of, (unasked.get(of) ?? new Set()).add(id));
        else {
          asked.add(key);
          wanted.push([of, id]);
        }
      }
    }
    await context.named.askAll(wanted);
  }

  return {
    namesOf,
    notes,
    /** What the ids of all records so far name. */
    get met(): readonly MetRecord[] {
      return [...known.values()];
    },
  };
}

/** The values at a path in a record; of a list on the way those of all its items. */
function allAt(record: unknown, [member, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(record)) return record.flatMap((one) => allAt(one, [member ?? '', ...rest]));
  if (typeof record !== 'object' || record === null || member === undefined) return [];
  const value = (record as AnswerRecord)[member];
  return rest.length === 0 ? [value] : allAt(value, rest);
}

/** A member as an id; null for 0, which stands for none, and for what is no id. */
export function idIn(value: unknown): number | null {
  if (typeof value === 'boolean') return null;
  const id = integerCodec.read(value);
  return typeof id === 'number' && id !== 0 && Number.isSafeInteger(id) ? id : null;
}

/** The name in a record's own members; null where they are empty, or there is no record. */
function nameAt(record: unknown, of: IdColumn['of'], { dialect }: Context): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return null;
  const members = record as AnswerRecord;
  const isTold = of.label?.some((name) => typeof members[name] === 'string' && members[name].trim() !== '');
  return isTold === true ? nameIn(members, of, dialect) : null;
}

/** The sheet that tells what ids name. */
interface LookUpSheet extends WrittenSheet {
  readonly rows: readonly WrittenRow[];
}

/** Why a name may be empty. */
const NAMELESS = t(
  'Empty where the service gives no name, as of employees',
  'Leeg waar het systeem geen naam geeft, zoals bij werknemers',
);

/** The sheet of what ids name; null where there is nothing to name. */
export function lookUpSheet(
  every: readonly (readonly MetRecord[])[],
  language: Language,
): LookUpSheet | null {
  const met = joined(every.flat());
  if (met.length === 0) return null;
  const order = new Intl.Collator(language, { numeric: true });
  const kinds = [...new Set(met.map(({ called }) => called[language]))];
  const ordered = met.toSorted(
    (one, other) =>
      kinds.indexOf(one.called[language]) - kinds.indexOf(other.called[language]) ||
      Number(one.name === null) - Number(other.name === null) ||
      order.compare(one.name ?? '', other.name ?? '') ||
      one.id - other.id,
  );
  const shape = { role: 'shown', format: 'General', width: 12, note: [] } as const;
  const [kind = '', id = '', name = ''] = LIST_HEADERS.lookUp[language];
  const plain = (header: string): WrittenColumn => ({ ...shape, header });
  const named = { ...plain(name), note: [NAMELESS[language]] };
  return {
    name: OWN_SHEETS.lookUp[language],
    table: 'tbl_look_up',
    columns: [...[kind, id].map(plain), named],
    rows: ordered.map((one): WrittenRow => [one.called[language], one.id, one.name]),
  };
}

/** What several kinds of records name, each once. */
function joined(met: readonly MetRecord[]): MetRecord[] {
  const known = new Map<string, MetRecord>();
  for (const one of met) {
    const key = `${one.called.en} ${one.id}`;
    const other = known.get(key);
    const both = other && { ...other, name: other.name ?? one.name };
    known.set(key, both ?? one);
  }
  return [...known.values()];
}
