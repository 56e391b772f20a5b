import { basename } from 'node:path';
import { EXIT, StopError } from '../../../errors.ts';
import { stopsRow } from '../../../schema/issue.ts';
import type { CountResource } from '../../../schema/resource.ts';
import type { Locale } from '../../../schema/value.ts';
import { readWorkbook } from '../../../workbook/read-workbook.ts';
import type { Context } from '../../context.ts';
import { externalColumn } from '../../kinds/posting/product.ts';
import { createReferences } from '../../kinds/references.ts';
import { addressOf, type MappedRow } from '../../map/map-row.ts';
import { newReading, readRows } from '../../map/read-rows.ts';
import { recogniseSheets } from '../../map/recognise.ts';
import type { LeftOut } from './left-out.ts';

/** How the sheets of products call what the stock sheets call by a name with a dot. */
const EXTERNAL = 'ExternalID';

/**
 * The ids of the products that the sheets of a workbook or CSV name, by ProductID or by a number of the user's own, each once and in the
 * order of the file; `leftOut` is told what else stands there. Throws StopError with EXIT.file for one in which none can be found.
 */
export async function productsIn(
  context: Context,
  resource: CountResource,
  file: string,
  locale: Locale,
  leftOut: LeftOut,
): Promise<readonly number[]> {
  const external = externalColumn(resource);
  const workbook = await readWorkbook(file, {});
  const names = external === null ? [] : [{ header: EXTERNAL, field: external.name, resource: null }];
  const wishes = { resources: [resource], as: resource, names, only: [], set: [] };
  const ids = new Set<number>();
  const references = createReferences(context, '');
  const find = async ({ values, issues, row }: MappedRow): Promise<void> => {
    const [id, own] = [values[resource.product], external === null ? null : values[external.name]];
    if (typeof id === 'number') ids.add(id);
    else if (typeof own === 'number' && external !== null) {
      const found = await references.find(external.refers, own);
      if (typeof found === 'object' && 'id' in found) ids.add(found.id);
      else if (typeof found === 'object' && 'several' in found)
        leftOut.add('several', `${EXTERNAL} ${own} (${found.several.join(', ')})`);
      else leftOut.add('unknown', `${EXTERNAL} ${own}`);
    } else if (stopsRow(issues))
      leftOut.add('unread', issues.find(({ address }) => address !== null)?.address ?? `${row}`);
  };
  for (const sheet of await recogniseSheets(workbook, wishes)) {
    if (sheet.kind !== 'import') continue;
    const rows = readRows(sheet.sheet, sheet.mapping, { locale, strict: false }, newReading());
    for await (const { records, passedOver } of rows) {
      for (const row of records) await find(row);
      // A text on its own may be the name of a product.
      for (const { row, why } of passedOver)
        if (why === 'remark')
          leftOut.add('unread', addressOf(sheet.mapping, resource.product, row) ?? `${row}`);
    }
  }
  if (ids.size === 0) throw namesNone(file, resource.product, leftOut);
  return [...ids];
}

/** That a file names no product to put in a sheet, with what stands there instead. */
export function namesNone(file: string, product: string, leftOut: LeftOut): StopError {
  const name = basename(file);
  if (!leftOut.any)
    return new StopError(
      EXIT.file,
      { en: `${name} names no products.`, nl: `${name} noemt geen producten.` },
      {
        next: {
          en: `Give it a column ${product} or ${EXTERNAL}, with a product in each row.`,
          nl: `Geef het een kolom ${product} of ${EXTERNAL}, met in elke rij een product.`,
        },
      },
    );
  const why = leftOut.notes();
  const [en, nl] = [why.map((note) => note.en).join('; '), why.map((note) => note.nl).join('; ')];
  return new StopError(
    EXIT.file,
    {
      en: `${name} names no product that can be in the sheet (${en}).`,
      nl: `${name} noemt geen product dat op het werkblad kan komen (${nl}).`,
    },
    { next: { en: 'Correct that, then export again.', nl: 'Verbeter dat en exporteer dan opnieuw.' } },
  );
}
