import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, t } from '../core/language.ts';
import { LARGEST_EXACT_NUMBER } from '../import/map/safe-cell.ts';
import type { Context } from '../run/context.ts';
import { type LookupLists, openLookupLists } from '../run/lookup-lists.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import { pathParameters } from '../schema/endpoint.ts';
import type { NameSource } from '../schema/finance-definition.ts';
import { readEntries } from '../service/lookups.ts';
import { RequestError } from '../service/request-error.ts';

type ListSource = Extract<NameSource, { readonly list: unknown }>;
type EachSource = Extract<NameSource, { readonly each: unknown }>;

/**
 * The names of ids, each requested once: with the list that holds them, or one by one. A name that can't be
 * had is a note, never a failure: the id stands in its place.
 */
export class NameLookup {
  private readonly context: Context;
  private readonly lists: LookupLists;
  private readonly listed = new Map<string, Promise<ReadonlyMap<number, string>>>();
  private readonly found = new Map<string, Promise<string | null>>();
  /** Why, by source. */
  private readonly failing = new Map<NameSource, Bilingual>();

  constructor(context: Context) {
    this.context = context;
    this.lists = openLookupLists(context);
  }

  /** The name of the id in `value`; null where there is no id or no name. */
  async nameOf(source: NameSource, value: unknown): Promise<string | null> {
    const id = idIn(value);
    if (id === null) return null;
    if ('list' in source) return (await this.listOf(source)).get(id) ?? null;
    const key = `${source.name} ${id}`;
    const name = this.found.get(key) ?? this.ask(source, id);
    this.found.set(key, name);
    return await name;
  }

  /** Which names could not be read, and why. */
  notes(): Bilingual[] {
    return [...this.failing].map(([{ called }, { en, nl }]) =>
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

  private async ask(source: EachSource, id: number): Promise<string | null> {
    if (this.failing.has(source)) return null;
    const [parameter = 'id'] = pathParameters(source.each);
    try {
      const record = await this.context.service.send(source.each, { params: { [parameter]: id } });
      return record === null ? null : this.nameIn(source, record);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.kind !== 'missing') this.failing.set(source, error.reasons);
      return null;
    }
  }

  private nameIn({ name, label }: EachSource, record: AnswerRecord): string | null {
    const names = { ...(label === undefined ? {} : { label }), ...this.context.dialect.lookups[name] };
    const read = readEntries([record], name, names);
    return 'entries' in read ? (read.entries[0]?.label ?? null) : null;
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
