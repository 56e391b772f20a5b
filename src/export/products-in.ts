import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { stopsRow } from '../core/issue.ts';
import { t } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import { newReading, readRows } from '../import/map/read-rows.ts';
import { recogniseSheets } from '../import/map/recognise.ts';
import { finderOf } from '../kinds/kinds.ts';
import type { LeftOut } from '../records/listing.ts';
import type { MappedRow } from '../records/mapped-row.ts';
import { createReferences, referenceColumn } from '../records/references.ts';
import type { Context } from '../run/context.ts';
import type { CountResource } from '../schema/resource.ts';
import { readWorkbook } from '../workbook/read-workbook.ts';

/**
 * The ids of the products that a workbook or CSV names, by ProductID or ExternalID, each once and in the
 * order of the file; `leftOut` collects the rows that name none. Throws StopError with EXIT.file where there
 * is no product.
 */
export async function productsIn(
  context: Context,
  resource: CountResource,
  file: string,
  locale: Locale,
  leftOut: LeftOut,
): Promise<readonly number[]> {
  const external = referenceColumn(resource, resource.product);
  const workbook = await readWorkbook(file, {});
  const names =
    external === null ? [] : [{ header: PRODUCT_EXTERNAL_ID, field: external.name, resource: null }];
  const wishes = { resources: [resource], as: resource, names, only: [], set: [] };
  const ids = new Set<number>();
  const references = createReferences(context, '', finderOf);
  const find = async ({ values, issues, row }: MappedRow): Promise<void> => {
    const [id, own] = [values[resource.product], external === null ? null : values[external.name]];
    if (typeof id === 'number') ids.add(id);
    else if (typeof own === 'number' && external !== null) {
      const found = await references.find(external.refers, own);
      if (typeof found === 'object' && 'id' in found) ids.add(found.id);
      else if (typeof found === 'object' && 'several' in found)
        leftOut.add('several', `${PRODUCT_EXTERNAL_ID} ${own} (${found.several.join(', ')})`);
      else leftOut.add('unknown', `${PRODUCT_EXTERNAL_ID} ${own}`);
    } else if (stopsRow(issues))
      leftOut.add('unread', issues.find(({ address }) => address !== null)?.address ?? `${row}`);
  };
  let named = 0;
  for (const sheet of await recogniseSheets(workbook, wishes)) {
    if (sheet.kind !== 'import') continue;
    const rows = readRows(sheet.sheet, sheet.mapping, { locale, strict: false }, newReading());
    for await (const { records, passedOver } of rows) {
      named += records.length + passedOver.length;
      if (named > MOST_ROWS) throw tooMany(file);
      for (const row of records) await find(row);
    }
  }
  if (ids.size === 0) throw noProductNamed(file, resource.product, leftOut);
  return [...ids];
}

/** How the sheets of products call what the stock sheets call by a name with a dot. */
const PRODUCT_EXTERNAL_ID = 'ExternalID';

/** That a file names no product to put in a sheet, with what stands there instead. */
function noProductNamed(file: string, product: string, leftOut: LeftOut): StopError {
  const why = leftOut.notes();
  const [en, nl] = [why.map((note) => ` (${note.en})`).join(''), why.map((note) => ` (${note.nl})`).join('')];
  return new StopError(
    EXIT.file,
    t(
      `${basename(file)} names no product that can be in the sheet${en}.`,
      `${basename(file)} noemt geen product dat op het werkblad kan komen${nl}.`,
    ),
    {
      next: t(
        `Give it a column ${product} or ${PRODUCT_EXTERNAL_ID}, with a product in each row, then export again.`,
        `Geef het een kolom ${product} of ${PRODUCT_EXTERNAL_ID}, met in elke rij een product, en exporteer dan opnieuw.`,
      ),
    },
  );
}

/** Rows of a file that names products: each takes a request of its own. */
const MOST_ROWS = 100_000;

function tooMany(file: string): StopError {
  const [en, nl] = [MOST_ROWS.toLocaleString('en'), MOST_ROWS.toLocaleString('nl')];
  return new StopError(
    EXIT.file,
    t(
      `${file} has more than ${en} rows, each of which would be a product to ask for.`,
      `${file} heeft meer dan ${nl} rijen, en elke zou een product zijn om op te vragen.`,
    ),
    { next: t('Leave in the products that are meant.', 'Laat er de producten in staan die je bedoelt.') },
  );
}
