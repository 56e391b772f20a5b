import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, t } from '../core/language.ts';
import { momentIn, numberIn } from '../records/existing-record.ts';
import type { ExportedResource } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { MOST_NAMES, type NamedId } from '../run/named-records.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { NamedRecord } from '../schema/field.ts';
import { kindWords } from '../schema/resource.ts';
import { nameIn } from '../service/lookups.ts';

/** An id of a resource's records, with what it names. */
type IdColumn = NonNullable<ExportedResource['named']>[number] & { readonly path: readonly string[] };

/** What an id names. */
interface MetRecord {
  readonly called: Bilingual;
  readonly id: number;
  readonly name: string | null;
  /** `YYYY-MM-DD`, of a record that has a day. */
  readonly day: string | null;
}

/** Which names are wanted. */
interface WantedNames {
  /** Those of these ids, to choose from: none whose name was not asked for. All when absent. */
  readonly ids?: ReadonlySet<string>;
  /** Those of the records themselves too. */
  readonly own?: boolean;
}

/**
 * The names of what listed records name by ids. What the record itself does not hold is asked for by its id,
 * each once, up to a limit; a name that can't be had is a note, never a failure.
 */
export class RecordNames {
  private readonly columns: readonly IdColumn[];
  private readonly context: Context;
  private readonly resource: ExportedResource;
  private readonly own: boolean;
  /** An id counts whether its name was asked for or not. */
  private readonly whole: boolean;
  private readonly known = new Map<string, MetRecord>();
  private readonly asked = new Set<string>();
  private readonly unasked = new Map<NamedRecord, Set<number>>();

  constructor(context: Context, resource: ExportedResource, { ids, own = false }: WantedNames = {}) {
    this.context = context;
    this.resource = resource;
    this.own = own;
    this.whole = ids === undefined;
    const named = (resource.named ?? []).filter(({ id }) => ids?.has(id) ?? true);
    this.columns = named.map((one) => ({
      ...one,
      path: (resource.fields[one.id]?.listName ?? one.id).split('.'),
    }));
  }

  /** Records with names among their members, by the headers of their columns. */
  async namesOf(records: readonly AnswerRecord[]): Promise<readonly AnswerRecord[]> {
    for (const record of this.own ? records : []) this.meetItself(record);
    if (this.columns.length === 0) return records;
    await this.ask(records);
    return records.map((record) => this.withNames(record));
  }

  /** What the ids of all records so far name. */
  get met(): readonly MetRecord[] {
    return [...this.known.values()];
  }

  /** Of what names were not asked for, or could not be read, and why. */
  notes(): Bilingual[] {
    const isAsked = (of: NamedRecord): boolean =>
      this.columns.some((one) => one.of === of && one.in === undefined);
    const failing = [...this.context.named.failing].filter(([of]) => isAsked(of));
    return [
      ...failing.map(([{ called }, { en, nl }]) =>
        t(`names of ${called.en} are not shown: ${en}`, `namen van ${called.nl} staan er niet bij: ${nl}`),
      ),
      ...[...this.unasked].map(([{ called }, { size }]) =>
        t(
          `names of ${size} ${called.en} are not shown: ${MOST_NAMES} are asked for at most; a shorter period shows them`,
          `namen van ${size} ${called.nl} staan er niet bij: hoogstens ${MOST_NAMES} worden opgevraagd; een kortere periode toont ze`,
        ),
      ),
    ];
  }

  private withNames(record: AnswerRecord): AnswerRecord {
    const shown: Record<string, unknown> = { ...record };
    for (const { header, of, path, in: within } of this.columns) {
      const told = within === undefined ? null : nameAt(memberAt(record, within), of, this.context);
      const nameOf = (id: number | null): string | null =>
        within === undefined && id !== null && 'each' in of ? this.context.named.known(of, id).name : told;
      if (header !== undefined) shown[header] = nameOf(idIn(memberAt(record, path)));
      for (const id of allAt(record, path).flatMap((value) => idIn(value) ?? []))
        if (this.whole || !('each' in of) || this.unasked.get(of)?.has(id) !== true) {
          const key = `${of.name} ${id}`;
          const name = this.known.get(key)?.name ?? nameOf(id);
          this.known.set(key, { called: of.called, id, name, day: null });
        }
    }
    return shown;
  }

  private meetItself(record: AnswerRecord): void {
    const { resource, known } = this;
    const id = 'id' in resource ? numberIn(record, resource.id) : null;
    if (id === null) return;
    const told = resource.label === undefined ? null : record[resource.label];
    const name = typeof told === 'string' && told.trim() !== '' ? told.trim() : null;
    const day = ('date' in resource ? momentIn(record, resource.date) : null)?.slice(0, 10) ?? null;
    known.set(`itself ${id}`, { called: kindWords(resource), id, name, day });
  }

  private async ask(records: readonly AnswerRecord[]): Promise<void> {
    const wanted: NamedId[] = [];
    for (const { of, path, in: within } of this.columns) {
      if (within !== undefined || !('each' in of)) continue;
      for (const record of records) {
        const id = idIn(memberAt(record, path));
        const key = `${of.name} ${id}`;
        if (id === null || this.asked.has(key)) continue;
        if (this.asked.size >= MOST_NAMES) this.unasked.set(of, (this.unasked.get(of) ?? new Set()).add(id));
        else {
          this.asked.add(key);
          wanted.push([of, id]);
        }
      }
    }
    await this.context.named.askAll(wanted);
  }
}

/** The values at a path in a record; of a list on the way those of all its items. */
function allAt(record: unknown, [member, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(record)) return record.flatMap((one) => allAt(one, [member ?? '', ...rest]));
  if (typeof record !== 'object' || record === null || member === undefined) return [];
  const value = (record as AnswerRecord)[member];
  return rest.length === 0 ? [value] : allAt(value, rest);
}

/** A member as an id; null for 0, which stands for none. */
function idIn(value: unknown): number | null {
  const id = typeof value === 'boolean' ? null : integerCodec.read(value);
  return typeof id === 'number' && id !== 0 ? id : null;
}

/** The name in a record's own members; null where they are empty, or there is no record. */
function nameAt(record: unknown, of: IdColumn['of'], { dialect }: Context): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return null;
  const members = record as AnswerRecord;
  const isTold = of.label?.some((name) => typeof members[name] === 'string' && members[name].trim() !== '');
  return isTold === true ? nameIn(members, of, dialect) : null;
}
