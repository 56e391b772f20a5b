import { basename } from 'node:path';
import { EXIT, StopError } from '../../../errors.ts';
import { stopsRow } from '../../../schema/issue.ts';
import type { CountResource } from '../../../schema/resource.ts';
import type { Locale } from '../../../schema/value.ts';
import { readWorkbook } from '../../../workbook/read-workbook.ts';
import type { Context } from '../../context.ts';
import { externalColumn } from '../../kinds/posting/product.ts';
import { createReferences } from '../../kinds/references.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { newReading, readRows } from '../../map/read-rows.ts';
import { recogniseSheets } from '../../map/recognise.ts';

/** What a file names: products by their ids, and what of it no product was found for, as it stands there. */
export interface NamedProducts {
  readonly ids: readonly number[];
  readonly unknown: readonly string[];
}

/** How the sheets of products call what the stock sheets call by a name with a dot. */
const EXTERNAL = 'ExternalID';

/**
 * The products that the sheets of a workbook or CSV name, by ProductID or by a number of the user's own, each once and in the order of
 * the file. Throws StopError with EXIT.file for a file that names none.
 */
export async function productsIn(
  context: Context,
  resource: CountResource,
  file: string,
  locale: Locale,
): Promise<NamedProducts> {
  const external = externalColumn(resource);
  const workbook = await readWorkbook(file, {});
  const names = external === null ? [] : [{ header: EXTERNAL, field: external.name, resource: null }];
  const wishes = { resources: [resource], as: resource, names, only: [], set: [] };
  const ids = new Set<number>();
  const unknown: string[] = [];
  const references = createReferences(context, '');
  const find = async ({ values, issues, row }: MappedRow): Promise<void> => {
    const [id, own] = [values[resource.product], external === null ? null : values[external.name]];
    if (typeof id === 'number') ids.add(id);
    else if (typeof own === 'number' && external !== null) {
      const found = await references.find(external.refers, own);
      if (typeof found === 'object' && 'id' in found) ids.add(found.id);
      else unknown.push(`${EXTERNAL} ${own}`);
    } else if (stopsRow(issues))
      unknown.push(issues.find(({ address }) => address !== null)?.address ?? `${row}`);
  };
  for (const sheet of await recogniseSheets(workbook, wishes)) {
    if (sheet.kind !== 'import') continue;
    const rows = readRows(sheet.sheet, sheet.mapping, { locale, strict: false }, newReading());
    for await (const { records } of rows) for (const row of records) await find(row);
  }
  if (ids.size + unknown.length === 0) throw namesNone(file, resource.product);
  return { ids: [...ids], unknown };
}

function namesNone(file: string, product: string): StopError {
  return new StopError(
    EXIT.file,
    { en: `${basename(file)} names no products.`, nl: `${basename(file)} noemt geen producten.` },
    {
      next: {
        en: `Give it a column ${product} or ${EXTERNAL}, with a product in each row.`,
        nl: `Geef het een kolom ${product} of ${EXTERNAL}, met in elke rij een product.`,
      },
    },
  );
}
