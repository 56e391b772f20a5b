import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, t } from '../core/language.ts';
import { LARGEST_EXACT_NUMBER } from '../import/map/safe-cell.ts';
import type { Context } from '../run/context.ts';
import { type LookupLists, openLookupLists } from '../run/lookup-lists.ts';
import { NamedRecords } from '../run/named-records.ts';
import type { NameSource } from '../schema/finance-definition.ts';

type ListSource = Extract<NameSource, { readonly list: unknown }>;

/**
 * The names of ids, each requested once: with the list that holds them, or one by one. A name that can't be
 * had is a note, never a failure: the id stands in its place.
 */
export class NameLookup {
  private readonly lists: LookupLists;
  private readonly records: NamedRecords;
  private readonly listed = new Map<string, Promise<ReadonlyMap<number, string>>>();
  /** Why, by source. */
  private readonly failing = new Map<NameSource, Bilingual>();

  constructor(context: Context) {
    this.lists = openLookupLists(context);
    this.records = new NamedRecords(context);
  }

  /** The name of the id in `value`; null where there is no id or no name. */
  async nameOf(source: NameSource, value: unknown): Promise<string | null> {
    const id = idIn(value);
    if (id === null) return null;
    if ('list' in source) return (await this.listOf(source)).get(id) ?? null;
    return (await this.records.ask(source, id)).name;
  }

  /** Which names could not be read, and why. */
  notes(): Bilingual[] {
    return [...this.failing, ...this.records.failing].map(([{ called }, { en, nl }]) =>
      t(
        `names of ${called.en}: ${en}; numbers stand in their place`,
        `namen van ${called.nl}: ${nl}; er staan nummers in de plaats`,
      ),
    );
  }

  private listOf(source: ListSource) {
    const { list: lookup } = source;
    const read = async (): Promise<ReadonlyMap<number, string>> => {
      const list = await this.lists.read(lookup);
      if ('entries' in list) return new Map(list.entries.map(({ id, label }) => [id, label]));
      this.failing.set(source, 'failure' in list ? list.failure.reasons : list.hint);
      return new Map();
    };
    const known = this.listed.get(lookup.name) ?? read();
    this.listed.set(lookup.name, known);
    return known;
  }
}

/** A member as an id; null for 0, which stands for none, and for what is no id. */
export function idIn(value: unknown): number | null {
  if (typeof value === 'boolean') return null;
  const id = integerCodec.read(value);
  return typeof id === 'number' && id !== 0 && Number.isSafeInteger(id) ? id : null;
}

/** An id to group by; null for none, and for one that a cell can't hold as a number. */
export function groupIn(value: unknown): number | null {
  const id = idIn(value);
  return id === null || Math.abs(id) > LARGEST_EXACT_NUMBER ? null : id;
}
