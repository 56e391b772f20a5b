import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Context } from '../run/context.ts';
import { MOST_NAMES } from '../run/named-records.ts';
import { type AnswerRecord, memberAt } from '../schema/answer.ts';
import type { NamedRecord } from '../schema/field.ts';
import { kindWords } from '../schema/resource.ts';
import { nameIn } from '../service/lookups.ts';
import { momentIn, numberIn } from './existing-record.ts';
import type { ExportedResource } from './listing.ts';

/** An id of a resource's records, with what it names. */
type NamedId = NonNullable<ExportedResource['named']>[number];

/** What an id names. */
interface MetRecord {
  readonly called: Bilingual;
  readonly id: number;
  readonly name: string | null;
  /** `YYYY-MM-DD`, of a record that has a day. */
  readonly day: string | null;
  /** What it belongs to, such as the customer of a contact person. */
  readonly owner: string | null;
  /** How many records name it, and the first of them. */
  readonly records: number;
  readonly first: string;
}

/** Which names are wanted. */
interface WantedNames {
  /** Those of these ids, to choose from: none whose name was not asked for. All when absent. */
  readonly ids?: ReadonlySet<string>;
  /** Those of the records themselves too. */
  readonly own?: boolean;
}

/** A name that is asked for by its id. */
interface AskedName {
  readonly of: NamedRecord;
  readonly path: readonly string[];
}

/**
 * The names of what listed records name by ids. What the record itself does not hold is asked for by its id,
 * each once, up to a limit; a name that can't be had is a note, never a failure.
 */
export class RecordNames {
  private readonly named: readonly (NamedId & { readonly path: readonly string[] })[];
  private readonly context: Context;
  private readonly resource: ExportedResource;
  private readonly own: boolean;
  /** An id counts whether its name was asked for or not. */
  private readonly whole: boolean;
  private readonly asked = new Set<string>();
  private readonly known = new Map<string, Omit<MetRecord, 'owner'>>();
  private readonly owners = new Map<string, readonly [of: NamedRecord, id: number]>();
  private readonly unasked = new Map<NamedRecord, Set<number>>();

  constructor(context: Context, resource: ExportedResource, { ids, own = false }: WantedNames = {}) {
    this.context = context;
    this.resource = resource;
    this.own = own;
    this.whole = ids === undefined;
    const named = (resource.named ?? []).filter(({ id }) => ids?.has(id) ?? true);
    this.named = named.map((one) => {
      return { ...one, path: (resource.fields[one.id]?.listName ?? one.id).split('.') };
    });
  }

  /** Records with names among their members, by the headers of their columns. */
  async namesOf(records: readonly AnswerRecord[]): Promise<readonly AnswerRecord[]> {
    for (const record of this.own ? records : []) this.meetItself(record);
    if (this.named.length === 0) return records;
    await this.ask(records);
    return await Promise.all(records.map((record) => this.withNames(record)));
  }

  /** What the ids of all records so far name. */
  get met(): readonly MetRecord[] {
    return [...this.known].map(([key, met]) => {
      const [of, id] = this.owners.get(key) ?? [];
      if (of === undefined || id === undefined) return { ...met, owner: null };
      return { ...met, owner: this.known.get(keyOf(of, id))?.name ?? String(id) };
    });
  }

  /** Of what names were not asked for, or could not be read, and why. */
  notes(): Bilingual[] {
    const own = [...this.context.named.failing].filter(([of]) =>
      this.named.some((one) => one.of === of && one.in === undefined),
    );
    const failing = own.map(([{ called }, { en, nl }]) =>
      t(`names of ${called.en} are not shown: ${en}`, `namen van ${called.nl} staan er niet bij: ${nl}`),
    );
    const left = [...this.unasked].map(([{ called }, { size }]) =>
      t(
        `names of ${size} ${called.en} are not shown: ${MOST_NAMES} are asked for at most; a shorter period shows them`,
        `namen van ${size} ${called.nl} staan er niet bij: hoogstens ${MOST_NAMES} worden opgevraagd; een kortere periode toont ze`,
      ),
    );
    return [...failing, ...left];
  }

  private async withNames(record: AnswerRecord): Promise<AnswerRecord> {
    const shown: Record<string, unknown> = { ...record };
    const here = new Set<string>();
    for (const one of this.named) {
      const name = await this.nameOf(record, one);
      if (one.header !== undefined) shown[one.header] = name;
      for (const id of allAt(record, one.path).flatMap((value) => idIn(value) ?? [])) {
        const isAsked = !('each' in one.of) || this.unasked.get(one.of)?.has(id) !== true;
        if (!here.has(keyOf(one.of, id)) && (this.whole || isAsked)) this.meet(one.of, id, name, record);
        here.add(keyOf(one.of, id));
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
    known.set(`itself ${id}`, { called: kindWords(resource), id, name, day, records: 0, first: '' });
  }

  private meet(of: NamedId['of'], id: number, name: string | null, record: AnswerRecord): void {
    const other = this.known.get(keyOf(of, id));
    const { resource } = this;
    const first = `${resource.sheet} ${record[resource.keys[0] ?? ''] ?? ''}`.trim();
    const met = other ?? { called: of.called, id, name, day: null, records: 0, first };
    this.known.set(keyOf(of, id), { ...met, name: met.name ?? name, records: met.records + 1 });
  }

  private async nameOf(
    record: AnswerRecord,
    { id: field, of, path, in: within }: NamedId & Pick<AskedName, 'path'>,
  ) {
    if (within !== undefined) return nameAt(memberAt(record, within), of, this.context);
    const id = idIn(memberAt(record, path));
    if (id === null || !('each' in of) || !this.asked.has(keyOf(of, id))) return null;
    const { name, record: whole } = await this.context.named.ask(of, id);
    const { fields } = this.resource;
    const owner = fields[fields[field]?.within ?? '']?.record;
    const owning = whole === null || owner === undefined ? null : idIn(numberIn(whole, owner.id));
    if (owner !== undefined && owning !== null) this.owners.set(keyOf(of, id), [owner, owning]);
    return name;
  }

  private async ask(records: readonly AnswerRecord[]): Promise<void> {
    const met = new Map<NamedRecord, Set<number>>();
    for (const { of, path, in: within } of this.named) {
      if (within !== undefined || !('each' in of)) continue;
      const ids = met.get(of) ?? new Set();
      met.set(of, ids);
      for (const record of records) {
        const id = idIn(memberAt(record, path));
        if (id !== null && !this.asked.has(keyOf(of, id))) ids.add(id);
      }
    }
    const wanted: (readonly [NamedRecord, number])[] = [];
    // Those of which there are few first: their names show on many records.
    for (const [of, ids] of [...met].toSorted(([, some], [, others]) => some.size - others.size))
      for (const id of ids)
        if (this.asked.size < MOST_NAMES) {
          this.asked.add(keyOf(of, id));
          wanted.push([of, id]);
        } else this.unasked.set(of, (this.unasked.get(of) ?? new Set()).add(id));
    await this.context.named.askAll(wanted);
  }
}

const keyOf = (of: NamedId['of'], id: number): string => `${of.name} ${id}`;

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
function nameAt(record: unknown, of: NamedId['of'], { dialect }: Context): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return null;
  const members = record as AnswerRecord;
  const isTold = of.label?.some((name) => typeof members[name] === 'string' && members[name].trim() !== '');
  return isTold === true ? nameIn(members, of, dialect) : null;
}
