import type { Resource } from '../../schema/resource.ts';
import { type FirstPage, firstPage } from '../../service/pages.ts';
import type { Context } from '../context.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { listSource, type RecordSource, rowSource } from './record-source.ts';

/** Before any record was written: a list from here on holds them all. */
const EPOCH = '1970-01-01 00:00:00.000';
/** So few rows are asked for one by one without looking how long the list is. */
const FEW = 3;

/** Chooses the cheaper way to read what exists: one detail a row, or the pages of the whole list. */
export interface SourcePicker {
  /** The source once it is clear which is cheaper; undefined while more rows may still tip the balance. */
  decide(mapping: SheetMapping, keyedRows: number): Promise<RecordSource | undefined>;
  /** The source when no more rows come. */
  settle(mapping: SheetMapping): RecordSource;
  /** What has been chosen, by resource name. */
  readonly chosen: ReadonlyMap<string, RecordSource>;
}

export function createSourcePicker(context: Context): SourcePicker {
  const chosen = new Map<string, RecordSource>();
  const firsts = new Map<string, Promise<FirstPage>>();
  const first = (resource: Resource): Promise<FirstPage> => {
    const known =
      firsts.get(resource.name) ?? firstPage(context.service, resource.requests.list, { LMT: EPOCH });
    firsts.set(resource.name, known);
    return known;
  };
  const choose = <S extends RecordSource>(resource: Resource, source: S): S => {
    chosen.set(resource.name, source);
    return source;
  };
  return {
    chosen,
    async decide(mapping, keyedRows) {
      const { resource } = mapping;
      const known = chosen.get(resource.name);
      if (known?.strategy === 'list' || keyedRows === 0) return known;
      if (keyedRows <= FEW && !needsList(mapping)) return undefined;
      const page = await first(resource);
      const remaining = (page.page.meta.last ?? 1) - 1;
      if (keyedRows <= remaining && !needsList(mapping)) return undefined;
      return choose(resource, await wholeList(context, resource, page));
    },
    settle: ({ resource }) => chosen.get(resource.name) ?? choose(resource, rowSource(context, resource)),
  };
}

/** A column that only lists return can be compared only with the list. */
function needsList(mapping: SheetMapping): boolean {
  const used = [...mapping.columns.values(), ...mapping.set.map((value) => value.field)];
  return used.some((name) => mapping.resource.fields[name]?.reads === 'list');
}

/**
 * The list as a source. One that came up short of its own total (records moved while it was read) is backed by
 * single reads: taking a record for new that exists would create it twice.
 */
async function wholeList(context: Context, resource: Resource, first: FirstPage): Promise<RecordSource> {
  const pages = first.all(context.concurrency);
  const list = await listSource(resource, pages);
  if (pages.tally.complete && list.size === pages.tally.records) return list;
  const { total } = pages.tally;
  context.log.warn(
    { resource: resource.name, total, read: list.size },
    'list incomplete, asking for what it lacks one by one',
  );
  const single = rowSource(context, resource);
  return {
    ...list,
    byId: async (id) => (await list.byId(id)) ?? single.byId(id),
    byExternal: async (external) => (await list.byExternal(external)) ?? single.byExternal(external),
  };
}
