import { type Bilingual, same, t } from '../../core/language.ts';
import { ArticleNumbers } from '../../records/article-numbers.ts';
import { LISTED, readExisting } from '../../records/existing-record.ts';
import { EPOCH } from '../../records/listing.ts';
import type { PlannerSetup, RunOf } from '../../records/planning.ts';
import { listedRecords } from '../catalogue.ts';
import { createParents, type RowParent } from '../row-parent.ts';
import { cataloguesOf, type StockResource, type StockRow } from './products.ts';

/** Finds the products that rows name: by their id, by an ExternalID, and by an article number, alone or beside those. */
export function createProducts(
  context: RunOf<StockResource>,
  { references, lists }: PlannerSetup,
): (row: StockRow) => Promise<RowParent> {
  const { product, keys } = context.resource;
  const parentOf = createParents(context.resource, { field: product, day: '' }, references);
  const { name: field = '', sheets = same('') } = articleColumn(context.resource) ?? {};
  return async (row) => {
    const number = row.values[field];
    if (typeof number !== 'string') return await parentOf(row);
    const isAlone = keys.every((key) => key === field || row.values[key] == null);
    const own = isAlone ? null : await parentOf(row);
    if (own !== null && 'code' in own) return own;
    const numbers = await lists.once('article numbers', () => readNumbers(context, sheets));
    const id = own !== null && 'id' in own ? own.id : null;
    const found = numbers.find(number, id);
    if (typeof found !== 'number') return { field, ...found };
    const hint = t(`it is ${product} ${found}`, `het is ${product} ${found}`);
    return isAlone || found === id ? { id: found } : { field, code: 'keys-differ', hint };
  };
}

function articleColumn({ fields }: StockResource) {
  for (const [name, { refers }] of Object.entries(fields))
    if (refers?.byArticle) return { name, sheets: refers.sheets };
  return null;
}

/** Reads all products of either kind by their numbers; what rows are about then shows their names. */
async function readNumbers(context: RunOf<StockResource>, sheets: Bilingual): Promise<ArticleNumbers> {
  const { resource, named } = context;
  const of = resource.labelled?.[1];
  const numbers = new ArticleNumbers(sheets);
  for (const catalogue of cataloguesOf(context)) {
    const { articles, label } = catalogue;
    const listed = listedRecords({ ...context, resource: catalogue }, { LMT: EPOCH });
    for await (const records of listed)
      for (const record of records) {
        const { id = null, values = {} } = readExisting(catalogue, record, LISTED) ?? {};
        if (id === null) continue;
        for (const article of articles) numbers.add(id, values[label], values[article]);
        if (of !== undefined) named.saw(of, id, record);
      }
    numbers.lacks ||= !listed.complete;
  }
  return numbers;
}
