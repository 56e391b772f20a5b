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
  { references, lists }: Pick<PlannerSetup, 'references' | 'lists'>,
): (row: StockRow) => Promise<RowParent> {
  const { resource, named } = context;
  const { product, keys, labelled: [, of] = [] } = resource;
  const parentOf = createParents(resource, { field: product, day: '' }, references);
  const { name: field = '', sheets = same('') } = articleColumn(resource) ?? {};
  return async (row) => {
    const number = row.values[field];
    if (typeof number !== 'string') return await parentOf(row);
    const isAlone = keys.every((key) => key === field || row.values[key] == null);
    const own = isAlone ? null : await parentOf(row);
    if (own !== null && 'code' in own) return own;
    const numbers = await lists.once('article numbers', () => readNumbers(context, sheets));
    const id = own !== null && 'id' in own ? own.id : null;
    const found = numbers.find(number, id);
    if ('code' in found) return { field, ...found };
    // It was read for that: the row shows its name.
    if (of !== undefined) named.saw(of, found.id, { [of.label?.[0] ?? '']: found.name });
    const hint = t(`it is ${product} ${found.id}`, `het is ${product} ${found.id}`);
    return isAlone || found.id === id ? found : { field, code: 'keys-differ', hint };
  };
}

function articleColumn({ fields }: StockResource) {
  for (const [name, { refers }] of Object.entries(fields))
    if (refers?.byArticle) return { name, sheets: refers.sheets };
  return null;
}

/** Reads all products of either kind by their numbers. */
async function readNumbers(context: RunOf<StockResource>, sheets: Bilingual): Promise<ArticleNumbers> {
  const numbers = new ArticleNumbers(sheets);
  for (const catalogue of cataloguesOf(context)) {
    const { articles, label } = catalogue;
    const listed = listedRecords({ ...context, resource: catalogue }, { LMT: EPOCH });
    for await (const records of listed)
      for (const record of records) {
        const { id = null, values = {} } = readExisting(catalogue, record, LISTED) ?? {};
        if (id === null) continue;
        const one = { id, name: values[label], article: values[articles[0] ?? ''] };
        for (const article of articles) numbers.add(one, values[article]);
      }
    numbers.lacks ||= !listed.complete;
  }
  return numbers;
}
