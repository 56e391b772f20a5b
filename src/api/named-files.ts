import { cellText } from '../core/codec.ts';
import { type CellCorrection, correctedWorkbook } from '../import/correct/corrected-workbook.ts';
import { rowNumber } from '../import/map/map-row.ts';
import { recogniseSheets } from '../import/map/recognise.ts';
import { resourcesOf } from '../import/map/sheet-by-headers.ts';
import { openFile } from '../import/open-file.ts';
import { commandSheets } from '../resources/registry.ts';
import type { Session } from '../session/open-session.ts';
import { type SessionInput, toRequest } from './import-workbook.ts';

/** A file that a row of a sheet for `documents` names. */
export interface NamedFile {
  readonly sheet: string;
  readonly row: number;
  /** What stands in its cell. */
  readonly named: string;
}

/**
 * The files that the rows of a workbook or CSV for `documents` name, as they stand there; the service is
 * asked nothing. `corrections` count in place of what the file holds. Throws StopError for a file that can't
 * be read.
 */
export async function filesNamedIn(
  session: Session,
  file: string,
  options: SessionInput,
  corrections: readonly CellCorrection[] = [],
): Promise<readonly NamedFile[]> {
  const { context } = session;
  const request = toRequest(file, { ...options, command: 'documents' }, session);
  const { workbook: read, headers, given } = await openFile(context, request);
  const { workbook } = correctedWorkbook(read, corrections, request.locale);
  const resources = resourcesOf(context, request.command);
  const known = { ...request, names: headers.names, ...given, resources, known: context.resources };
  const named: NamedFile[] = [];
  for (const entry of await recogniseSheets(workbook, known)) {
    if (entry.kind !== 'import') continue;
    const { mapping, sheet } = entry;
    const column = mapping.columnOf.get(commandSheets.documents.file);
    if (column === undefined) continue;
    for await (const row of sheet.rows) {
      const cell = row.cells.find((one) => one.column === column);
      const isRecord = row.number > mapping.headerRow && !mapping.explanations.has(row.number);
      const text = cell === undefined ? '' : cellText(cell).trim();
      if (isRecord && text !== '')
        named.push({ sheet: sheet.name, row: rowNumber(row, mapping), named: text });
    }
  }
  return named;
}
